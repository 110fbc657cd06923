_NAME_complete() {
    local candidate
    COMPREPLY=()
    compopt +o nospace 2> /dev/null
    while IFS= read -r candidate; do
        [[ -n $candidate ]] && COMPREPLY+=("$candidate")
    done <<< "$(VARIABLE=bash NAME -- "${COMP_LINE:0:COMP_POINT}" "$2" 2> /dev/null)"
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/:] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
if [[ ${BASH_VERSINFO[0]} -gt 4 || ${BASH_VERSINFO[0]} -eq 4 && ${BASH_VERSINFO[1]} -ge 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _NAME_complete NAME
else
    complete -o nospace -o bashdefault -F _NAME_complete NAME
fi
