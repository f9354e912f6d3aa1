#!/bin/sh
# The demo's agent: a script instead of a model. It gets what any agent gets (a brief on standard input, a clone to work
# in), and it makes a mistake in task 003 that only the verifier finds.
sleep 0.4
mkdir -p src
case "$WINDLASS_TASK/$WINDLASS_STEP" in
001/implement)
    cat >src/subtotal.sh <<'SH'
sum=0
while read -r cents; do
    sum=$((sum + cents))
done
echo "$sum"
SH
    ;;
002/implement)
    echo 'echo $((($1 * 19 + 50) / 100))' >src/tax.sh
    ;;
003/implement)
    cat >src/total.sh <<'SH'
sum=$(sh src/subtotal.sh)
sum=$((sum + $(sh src/tax.sh "$sum")))
echo "$((sum / 100)).$((sum % 100))"
SH
    ;;
003/fix)
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
