# The commands of a newcomer, and a few more for those who stay. Everything is built by CMake (CMakePresets.json).
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Where there is no GPU to run it on, neither the demo nor the tests compile CUDA: LANEWORK_CUDA=AUTO make test does.
GPU := $(shell nvidia-smi -L 2>/dev/null | grep GPU)
ASKED := $(if $(filter-out undefined,$(origin LANEWORK_CUDA)),-DLANEWORK_CUDA=$(LANEWORK_CUDA))
LANEWORK_CUDA ?= $(if $(GPU),AUTO,OFF)
OPTIONS := -DLANEWORK_CUDA=$(LANEWORK_CUDA)
# Without a GPU nvcc's kernels are compiled and never run: several in one file, for speed.
TEST_OPTIONS := $(OPTIONS) $(if $(GPU),-DCMAKE_CUDA_ARCHITECTURES=native -DLANEWORK_UNITE_KERNELS=OFF,-DLANEWORK_UNITE_KERNELS=ON)
DEMO := build/demo/lanework
CLIMBED := $(if $(GPU),cuda,simt)

.DEFAULT_GOAL := release
.PHONY: release install uninstall demo test portable asan format clean

SAY := printf '\n\033[1m%s\033[0m\n'
SHOW := @show() { printf '\n$$ lanework %s\n' "$$*"; $(DEMO) "$$@" || [ $$? -eq 1 ]; }; show

demo:  ## What is wrong with a kernel, how far it is from the limit, and why
	@scripts/packages build
	@cmake --preset demo $(OPTIONS) >/dev/null
	@cmake --build --preset demo -j $(JOBS)
	@$(SAY) "1. A program with a mistake: what is wrong, in which line, and what to do."
	$(SHOW) check examples/tutorial/row_sums.cu
	@$(SAY) "2. A ladder of kernels: which are right, how far each is from the limit, and why."
	$(SHOW) climb transpose --device $(CLIMBED)
	@$(SAY) "3. One of them, line by line: what it costs, on a GPU that need not be here."
	$(SHOW) explain transpose/padded_tile_16
	@$(SAY) "4. The library: the edges of a photograph."
	$(SHOW) image sobel examples/data/astronaut.png -o build/edges.png
	@$(SAY) "Next: docs/tutorial/README.md, or build/demo/lanework explain YOUR.cu"

# Some tests wait, for a signal say: one more than there are cores is run at a time. A test that fails is run again by
# itself: one that passes then depended on what else the machine did, which scripts/check-skips tells of; it is a test to
# be mended, and no verdict on the change.
test:  ## Build everything and run every test
	@scripts/packages test
	@cmake --preset test $(TEST_OPTIONS) >/dev/null
	@cmake --build --preset test -j $(JOBS)
	@ctest --preset test -j $$(($(JOBS) + 1)) --output-junit $(CURDIR)/build/tests.xml --test-output-size-passed 65536 || { \
		$(SAY) "What failed, once more, one at a time:"; ctest --preset test --rerun-failed; }

release portable:  ## Build the program and the library; one binary for other machines
	@scripts/packages build
	cmake --preset $@ $(ASKED)
	cmake --build --preset $@ -j $(JOBS)

# Under sudo, who called it builds where the folder is theirs, and the list of what was installed is theirs: what is root's
# in the build folder would stop their next `make`. sudo hands on no flags of make, of which -n must not be lost.
NUMBER := \#
AS_CALLER := $(if $(filter-out 0,$(SUDO_UID)),$(if $(filter 0,$(shell id -u)),$(if $(filter $(SUDO_UID),$(shell stat -c %u .)),sudo -H -u '$(NUMBER)$(SUDO_UID)')))

install:  ## Build, and install the program and the library into PREFIX
	@$(AS_CALLER) $(MAKE) $(if $(findstring n,$(firstword -$(MAKEFLAGS))),-n) release $(MAKEOVERRIDES)
	cmake --install build/release --prefix "$(PREFIX)"
	@chown --reference=build/release build/release/install_manifest*.txt

uninstall:  ## Take away what `make install` installed
	cmake -D MANIFEST=build/release/install_manifest.txt -P cmake/uninstall.cmake

asan:  ## The tests of cpu code under the address and undefined-behaviour sanitizers
	@scripts/packages test
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

format:
	scripts/format --fix

clean:
	rm -rf build
