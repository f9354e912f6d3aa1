#!/bin/sh
# The demo's agent: a script instead of a model. It gets what any agent gets (a brief on standard input, a clone to work
# in). It writes the tests first, then the code, and makes a mistake in task T003 that only the verifier finds.
sleep 0.4
mkdir -p src tests

# A test file that prints TAP: every line of standard input is a name, a command and what it prints, apart by `@`.
tests() {
    {
        echo 'n=0; bad=0'
        echo 'check() { n=$((n + 1)); if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; echo "# expected $3, got $2"; bad=1; fi; }'
        while IFS='@' read -r name command expected; do
            printf 'check "%s" "$(%s 2>&1)" %s\n' "$name" "$command" "$expected"
        done
        echo 'echo "1..$n"'
        echo 'exit $bad'
    } >"$1"
}

# What the test-writer answers: which tests stand for which criterion of the task.
stands_for() {
    echo "{\"status\": \"done\", \"criteria\": {$1}}" >"$WINDLASS_RESULT"
}

case "$WINDLASS_TASK/$WINDLASS_STEP" in
T001/write_test)
    tests tests/subtotal_test.sh <<'TESTS'
adds up@printf '100\n250\n5\n' | sh src/subtotal.sh@355
an empty list is 0@printf '' | sh src/subtotal.sh@0
TESTS
    stands_for '"AC-001": ["adds up"], "AC-002": ["an empty list is 0"]'
    ;;
T001/implement)
    cat >src/subtotal.sh <<'SH'
sum=0
while read -r cents; do
    sum=$((sum + cents))
done
echo "$sum"
SH
    ;;
T002/write_test)
    tests tests/tax_test.sh <<'TESTS'
19 per cent@sh src/tax.sh 1000@190
rounds up@sh src/tax.sh 50@10
rounds down@sh src/tax.sh 71@13
TESTS
    stands_for '"AC-003": ["19 per cent", "rounds up", "rounds down"]'
    ;;
T002/implement)
    echo 'echo $((($1 * 19 + 50) / 100))' >src/tax.sh
    ;;
T003/write_test)
    tests tests/total_test.sh <<'TESTS'
adds the tax@printf '10050\n' | sh src/total.sh@119.60
pads the cents@printf '90\n' | sh src/total.sh@1.07
TESTS
    stands_for '"AC-004": ["adds the tax", "pads the cents"]'
    ;;
T003/implement)
    cat >src/total.sh <<'SH'
sum=$(sh src/subtotal.sh)
sum=$((sum + $(sh src/tax.sh "$sum")))
echo "$((sum / 100)).$((sum % 100))"
SH
    ;;
T003/fix)
    # The brief carries what the verifier saw: 1.7 where 1.07 was expected.
    cat >src/total.sh <<'SH'
sum=$(sh src/subtotal.sh)
sum=$((sum + $(sh src/tax.sh "$sum")))
printf '%d.%02d\n' $((sum / 100)) $((sum % 100))
SH
    ;;
*)
    echo "the demo's agent does not know $WINDLASS_TASK/$WINDLASS_STEP" >&2
    exit 1
    ;;
esac
