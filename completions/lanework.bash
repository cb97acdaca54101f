# Completions of lanework for bash: written by `lanework completion bash`.
_lanework() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path="" words_to_offer=""
    local typed
    COMPREPLY=()
    for typed in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "${path:+$path }$typed" in
        "check"|"explain"|"run"|"cc"|"new"|"judge"|"climb"|"verify"|"bench"|"profile"|"compare"|"report"|"compute"|"image"|"compare-images"|"neighbors"|"particles"|"doctor"|"devices"|"list"|"info"|"index"|"occupancy"|"completion"|"help") path="${path:+$path }$typed" ;;
        esac
    done
    case $path in
        "")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help -V --version --color"
            else words_to_offer="check explain run cc new judge climb verify bench profile compare report compute image compare-images neighbors particles doctor devices list info index occupancy completion help"; fi ;;
        "check")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --call) return ;;
                --report) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --schedules) return ;;
                --seconds) return ;;
                --schedule) return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --devices) return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --call --report --json --schedules --seconds --leaks --schedule --gpu --devices"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "explain")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --input) return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --devices) return ;;
                --compare) return ;;
                --schedule) return ;;
                --schedules) return ;;
                --pictures) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --call) return ;;
                --kernel) return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --launch) return ;;
                --report) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -s --size -t --dtype --variant --seed --input --gpu --devices --compare -v --verbose --sass --as-written --schedule --schedules --pictures --call --kernel --grid --block --shared --build --launch --report --json"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "run")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --call) return ;;
                --device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --devices) return ;;
                --threads) return ;;
                --break) return ;;
                --stops) return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --call --device --gpu --devices --threads --gdb --break --stops"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "cc")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --observable"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "new")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --in) return ;;
                --in-place) return ;;
                --out) return ;;
                --scalar) return ;;
                --reference) COMPREPLY=($(compgen -f -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --in --in-place --out --scalar --reference"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "judge")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --kernel) return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --seed) return ;;
                --seconds) return ;;
                --run-seconds) return ;;
                --memory) return ;;
                --schedules) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --kernel --grid --block --shared --build --seed --seconds --run-seconds --memory --schedules --json"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "climb")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --sweep) return ;;
                --input) return ;;
                --kernel) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --max-time) return ;;
                --min-samples) return ;;
                --warmup) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --csv) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu -s --size -t --dtype --variant --seed --sweep --input --kernel --grid --block --shared --build --max-time --min-samples --warmup --stats -v --verbose --emulation-times --machine-code --json --csv --md --markdown"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "verify")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --input) return ;;
                --kernel) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --random) return ;;
                --schedules) return ;;
                --schedule) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --csv) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu -s --size -t --dtype --variant --seed --input --kernel --grid --block --shared --build --random -v --verbose --schedules --schedule --json --csv --md --markdown"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "bench")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --sweep) return ;;
                --input) return ;;
                --kernel) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --max-time) return ;;
                --min-samples) return ;;
                --warmup) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --csv) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu -s --size -t --dtype --variant --seed --sweep --input --kernel --grid --block --shared --build --all-sizes --max-time --min-samples --warmup --stats --json --csv --md --markdown"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "profile")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --call) return ;;
                --kernel) return ;;
                --launch) return ;;
                --grid) return ;;
                --block) return ;;
                --shared) return ;;
                --build) return ;;
                --svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --zoom) return ;;
                --speeds) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --record) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --note) return ;;
                --keep) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --accuracy) COMPREPLY=($(compgen -f -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu -s --size -t --dtype --variant --seed --call --kernel --launch --grid --block --shared --build --as-written --timeline --svg --zoom --speeds --json --launch-once --record --note --keep --machine-code --accuracy"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "compare")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --threshold) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --csv) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --threshold --json --csv --md --markdown"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "report")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --before) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --threshold) return ;;
                --title) return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --seed) return ;;
                --input) return ;;
                --max-time) return ;;
                --min-samples) return ;;
                --warmup) return ;;
                --kernel) return ;;
                --launch) return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -o --output --md --markdown --svg --before --threshold --title -d --device --gpu -s --size -t --dtype --variant --seed --input --max-time --min-samples --warmup --stats --kernel --launch"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "compute")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --variant) return ;;
                --size) return ;;
                --dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --shape) return ;;
                --iou) return ;;
                --score) return ;;
                --top) return ;;
                --most) return ;;
                --pictures) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --alpha) return ;;
                --beta) return ;;
                --bias) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --activation) return ;;
                --cutoff) return ;;
                --axis) return ;;
                --scale) return ;;
                --convention) return ;;
                --fit) return ;;
                --pad) return ;;
                --affine) return ;;
                --rotate) return ;;
                --mean) return ;;
                --std) return ;;
                --to) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -o --output --variant --size --dtype --shape --iou --score --top --most --pictures --alpha --beta --bias --activation --cutoff --axis --scale --convention --fit --pad --no-scale-up --affine --rotate --mean --std --swap --to --json -d --device --gpu"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "image")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -o|--output) return ;;
                --variant) return ;;
                --axis) return ;;
                --size) return ;;
                --width) return ;;
                --height) return ;;
                --scale) return ;;
                --convention) return ;;
                --fit) return ;;
                --pad) return ;;
                --affine) return ;;
                --rotate) return ;;
                --mean) return ;;
                --std) return ;;
                --dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                -j|--jobs) return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -o --output --variant --axis --size --width --height --scale --convention --fit --pad --no-scale-up --affine --rotate --mean --std --swap --dtype --beside --json -j --jobs -d --device"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "compare-images")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --max-difference) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --max-difference --json"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "neighbors")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --cutoff) return ;;
                --box) return ;;
                --pbc) return ;;
                -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --plot) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --view) COMPREPLY=($(compgen -W "x y z" -- "$word")); return ;;
                --format) COMPREPLY=($(compgen -W "columns xyz extxyz lammps pdb" -- "$word")); return ;;
                --frame) return ;;
                --dtype) COMPREPLY=($(compgen -W "float32 float64 uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --memory) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --cutoff --half --box --pbc -o --output --shifts --vectors --distances --plot --view --format --frame --dtype -d --device --memory --time --json"
            else words_to_offer=""; COMPREPLY=($(compgen -f -- "$word")); fi ;;
        "particles")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --rows) return ;;
                --cols) return ;;
                --cells) return ;;
                --lattice) return ;;
                --atoms) return ;;
                --density) return ;;
                --box) return ;;
                --noise) return ;;
                --seed) return ;;
                --vacuum) return ;;
                --pbc) return ;;
                -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
                --format) COMPREPLY=($(compgen -W "extxyz xyz lammps columns" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --rows --cols --cells --lattice --atoms --density --box --noise --seed --vacuum --pbc -o --output --format"
            else words_to_offer="graphene diamond fcc cscl gas"; fi ;;
        "doctor")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --json"
            else words_to_offer=""; fi ;;
        "devices")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu --measure --json"
            else words_to_offer=""; fi ;;
        "list")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device -t --dtype --json --names --wrong"
            else words_to_offer="$(lanework list --names 2>/dev/null | grep -v /)"; fi ;;
        "info")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                -s|--size) return ;;
                -t|--dtype) COMPREPLY=($(compgen -W "uint8 int8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float8_e4m3 tfloat32 float32 float64" -- "$word")); return ;;
                --variant) return ;;
                --arch) return ;;
                --kernel) return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color -d --device --gpu -s --size -t --dtype --variant --registers --ptx --sass --arch --kernel --why --json"
            else words_to_offer="$(lanework list --names 2>/dev/null)"; fi ;;
        "index")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --grid) return ;;
                --block) return ;;
                -d|--device) COMPREPLY=($(compgen -W "cuda simt cpu all" -- "$word")); return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --csv) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --md|--markdown) COMPREPLY=($(compgen -f -- "$word"));  ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --grid --block -d --device --gpu --json --csv --md --markdown"
            else words_to_offer=""; fi ;;
        "occupancy")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --threads) return ;;
                --regs) return ;;
                --smem) return ;;
                --carveout) return ;;
                --arch) return ;;
                --gpu) COMPREPLY=($(compgen -W "h200 h100 b200 a100 l40s l4 t4 rtx5090 rtx4090 rtx3090" -- "$word")); return ;;
                --json) COMPREPLY=($(compgen -f -- "$word"));  ;;
                --svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --threads --regs --smem --carveout --arch --gpu --json --svg"
            else words_to_offer="$(lanework list --names 2>/dev/null | grep -v /)"; fi ;;
        "completion")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color"
            else words_to_offer="bash zsh fish"; fi ;;
        "help")
            case $previous in
                --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
                --man-pages) COMPREPLY=($(compgen -f -- "$word")); return ;;
            esac
            if [[ $word == -* ]]; then words_to_offer="-h --help --color --man-pages"
            else words_to_offer="check explain run cc new judge climb verify bench profile compare report compute image compare-images neighbors particles doctor devices list info index occupancy completion help"; fi ;;
    esac
    COMPREPLY+=($(compgen -W "$words_to_offer" -- "$word"))
}
complete -o filenames -F _lanework lanework
