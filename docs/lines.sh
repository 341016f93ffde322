#!/usr/bin/env bash
# Prints how much there is to read: the lines of code behind each kind of answer, file by file as AUDIT.md lists them, then
# the lines of Rust by crate. Code is what is neither blank, nor a comment, nor below `#[cfg(test)]`.
#
#   docs/lines.sh            the totals
#   docs/lines.sh --files    every file of the lists, too
set -euo pipefail
cd "$(dirname "$0")/.."

count() { # FILE...: prints "code documentation all"
    awk '
        FNR == 1 { tests = 0 }
        { all++ }
        /^#\[cfg\(test\)\]$/ { tests = 1 }
        tests { next }
        /^[[:space:]]*\/\/[\/!]/ { documentation++; next }
        /^[[:space:]]*(\/\/.*)?$/ { next }
        { code++ }
        END { print code + 0, documentation + 0, all + 0 }
    ' "$@"
}

echo "To trust                       code  files"
awk '
    /^## / { heading = substr($0, 4); headings[++n] = heading }
    { for (rest = $0; match(rest, /[Bb]eside the files of [^.]*/); rest = substr(rest, RSTART + RLENGTH)) beside[heading] = beside[heading] substr(rest, RSTART, RLENGTH) }
    /^\| `[^`]+\.rs`/ { split($0, cell, "`"); own[heading] = own[heading] " " cell[2] }
    # Collects the files of a section and of those it builds on, each once.
    function collect(section,    names, file, list, i, m) {
        if (visited[section]++) return
        m = split(own[section], list, " ")
        for (i = 1; i <= m; i++) if (!seen[list[i]]++) found = found " " list[i]
        m = split(beside[section], names, "*")
        for (i = 2; i <= m; i += 2) collect(names[i])
    }
    END {
        for (h = 1; h <= n; h++) {
            split("", seen); split("", visited); found = ""
            collect(headings[h])
            print headings[h] "\t" found
        }
    }' AUDIT.md |
    while IFS=$'\t' read -r heading files; do
        read -r -a list <<< "$files"
        read -r code _ <<< "$(count "${list[@]}")"
        printf '%-28s %6d %6d\n' "$heading" "$code" "${#list[@]}"
        if [ "${1:-}" = --files ]; then
            for file in "${list[@]}"; do
                read -r code _ <<< "$(count "$file")"
                printf '  %6d  %s\n' "$code" "$file"
            done
        fi
    done

printf '\n%-14s %7s %7s %7s %6s\n' Rust code docs all files
total=(0 0 0 0)
while read -r room; do
    mapfile -t list < <(git ls-files "$room" | grep '\.rs$')
    read -r code documentation all <<< "$(count "${list[@]}")"
    # Files of tests are no code.
    mapfile -t sources < <(printf '%s\n' "${list[@]}" | grep -v -E '(^|/)tests?(/|\.rs$)' || true)
    if [ "${#sources[@]}" -gt 0 ]; then read -r code _ <<< "$(count "${sources[@]}")"; else code=0; fi
    printf '%-14s %7d %7d %7d %6d\n' "$room" "$code" "$documentation" "$all" "${#list[@]}"
    total=($((total[0] + code)) $((total[1] + documentation)) $((total[2] + all)) $((total[3] + ${#list[@]})))
done < <(git ls-files | grep '\.rs$' | cut -d/ -f1 | sort -u)
printf '%-14s %7d %7d %7d %6d\n' all "${total[@]}"
