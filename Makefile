# The two commands of a newcomer, and a few more for those who stay. Everything is built by CMake (CMakePresets.json).
JOBS ?= $(shell nproc)
# Where there is no GPU to run it on, CUDA is not compiled for the demo, and for the tests only to see that it compiles.
GPU := $(shell nvidia-smi -L 2>/dev/null | grep -c GPU)
DEMO_PRESET := $(if $(filter-out 0,$(GPU)),release,demo)
TEST_PRESET := $(if $(filter-out 0,$(GPU)),release,test)
DEMO := build/$(DEMO_PRESET)/lanework

.PHONY: demo test release portable asan format clean

demo:  ## Climb a ladder and find the edges of a photograph
	@scripts/packages build
	@cmake --preset $(DEMO_PRESET) >/dev/null
	@cmake --build --preset $(DEMO_PRESET) --target lanework -j $(JOBS)
	$(DEMO) climb transpose
	$(DEMO) image sobel examples/data/astronaut.png -o build/edges.png
	@echo "The edges of examples/data/astronaut.png are in build/edges.png."

test:  ## Build everything and run every test
	@scripts/packages test
	@cmake --preset $(TEST_PRESET) >/dev/null
	@cmake --build --preset $(TEST_PRESET) -j $(JOBS)
	@ctest --preset $(TEST_PRESET) -j $(JOBS) --output-junit $(CURDIR)/build/tests.xml --test-output-size-passed 65536

release portable:
	@scripts/packages build
	cmake --preset $@
	cmake --build --preset $@ -j $(JOBS)

asan:  ## The tests of cpu code under the address and undefined-behaviour sanitizers
	@scripts/packages test
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

format:
	scripts/format --fix

clean:
	rm -rf build
