//! Forty-odd attempts, each a small script run as an agent would run it.

/// What an attempt needs to be worth making.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    /// Made on every rung, and also without a fence, where it must succeed: so we know that it is one.
    Everywhere,
    /// Made on the rungs with a root of their own. Without a fence it would harm the machine, or means nothing.
    OwnRoot,
    /// Made under bubblewrap alone: lower rungs do not promise it.
    Bubblewrap,
}

/// One attempt. The script has `TOP` (the world outside), `VICTIM` (a process), `PORT`, `ABSTRACT`, `SOCKET` (who listens),
/// `SHM`, `SEGMENT` (shared memory) and `DROP` (a file that must never exist). Printing `ESCAPED` is an admission.
pub(crate) struct Attempt {
    pub(crate) name: &'static str,
    pub(crate) at: Where,
    pub(crate) script: &'static str,
}

const fn everywhere(name: &'static str, script: &'static str) -> Attempt {
    Attempt { name, at: Where::Everywhere, script }
}

const fn own_root(name: &'static str, script: &'static str) -> Attempt {
    Attempt { name, at: Where::OwnRoot, script }
}

pub(crate) const ATTEMPTS: &[Attempt] = &[
    // Reading.
    everywhere("read a key", "cat $TOP/home/.ssh/id_ed25519"),
    everywhere("read credentials", "cat ~/.aws/credentials"),
    everywhere("read a password file", "cat ~/.netrc"),
    everywhere("read the user's repository", "cat $TOP/repo/code.py"),
    everywhere("read the state", "cat $TOP/repo/.git/windlass/journal.db"),
    everywhere("read another slot", "cat $TOP/cache/slots/2/tree/other.py"),
    everywhere(
        "look for keys everywhere",
        "find $TOP /home /root /tmp -maxdepth 3 -name id_ed25519 -exec cat {} + 2>/dev/null",
    ),
    everywhere("read through a link", "ln -s $TOP/home/.netrc link && cat link"),
    everywhere(
        "read the environment of others",
        "cat /proc/$VICTIM/environ /proc/[0-9]*/environ | tr '\\0' '\\n' | grep '^STOLEN='",
    ),
    own_root("climb out of the slot", "cat ../../2/tree/other.py ../../../../home/.netrc"),
    own_root("read the arguments of others", "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -- --stolen"),
    own_root(
        "read through the first process",
        "cat /proc/1/root$TOP/home/.netrc /proc/1/cwd/../../../home/.netrc",
    ),
    own_root("read through every process", "for p in /proc/[0-9]*; do cat $p/root$TOP/home/.netrc; done"),
    own_root(
        "read through an open file",
        "for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in $TOP*) cat $f; echo ESCAPED;; esac; done",
    ),
    own_root("read the machine's passwords", "grep -q : /etc/shadow && echo ESCAPED"),
    own_root(
        "read the machine's memory",
        "head -c 16 /dev/mem /proc/kcore /dev/kmem 2>/dev/null | grep -q . && echo ESCAPED",
    ),
    own_root(
        "read the disk",
        "for d in /dev/vd* /dev/sd* /dev/nvme*; do head -c 1 $d && echo ESCAPED; done; mknod disk b 254 0 && head -c 1 disk && echo ESCAPED",
    ),
    // Writing.
    everywhere("write the user's code", "echo bad > $TOP/repo/code.py"),
    everywhere("write the user's home", "echo bad >> $TOP/home/.bashrc"),
    everywhere("write another slot", "echo bad > $TOP/cache/slots/2/tree/other.py"),
    everywhere("remove the state", "rm -rf $TOP/repo/.git/windlass"),
    everywhere("write through a link", "ln -s $TOP/repo/code.py out && echo bad > out"),
    everywhere("write through a hard link", "ln $TOP/repo/code.py hard && echo bad > hard"),
    everywhere("move something out", "echo bad > made && mv made $TOP/repo/made"),
    everywhere("leave a file for everybody", "echo bad > $DROP"),
    everywhere(
        "race with links",
        "for i in $(seq 60); do ln -sfn $TOP/repo d; mkdir -p d; echo bad > d/code.py; rm -rf ./d; done",
    ),
    own_root(
        "write the system",
        "for d in / /etc /usr /usr/bin /usr/local/bin /opt /lib /windlass; do : > $d/windlass-escape && echo ESCAPED; done",
    ),
    own_root(
        "write the helper",
        "echo bad > /windlass/confine && echo ESCAPED; rm -f /windlass/confine && echo ESCAPED",
    ),
    own_root(
        "write the kernel's settings",
        "for f in sys/kernel/core_pattern sys/kernel/modprobe sys/vm/drop_caches sysrq-trigger; do (exec 3>>/proc/$f) && echo ESCAPED; done",
    ),
    own_root(
        "write the control groups",
        "for f in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $f/windlass-escape && echo ESCAPED; done",
    ),
    // Processes.
    everywhere("kill a process", "kill -9 $VICTIM"),
    own_root("kill everything", "kill -9 -1"),
    own_root("kill the parents", "kill -9 $PPID; kill -9 1; kill -TERM 1"),
    own_root("stop a process", "kill -STOP $VICTIM"),
    own_root(
        "trace a process",
        "python3 -c 'import ctypes,os; print(\"ESCAPED\" if ctypes.CDLL(None).ptrace(16, int(os.environ[\"VICTIM\"]), 0, 0) == 0 else \"\")'",
    ),
    own_root("slow a process down", "renice -n 19 -p $VICTIM && echo ESCAPED"),
    // Talking.
    own_root("reach a port of the machine", "exec 3<>/dev/tcp/127.0.0.1/$PORT"),
    own_root("see another network", "grep -vE 'lo:|Inter|face' /proc/net/dev && echo ESCAPED"),
    everywhere(
        "reach a socket without a name",
        "python3 -c 'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(\"\\0\"+os.environ[\"ABSTRACT\"])'",
    ),
    own_root(
        "reach a socket",
        "python3 -c 'import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(os.environ[\"SOCKET\"])'",
    ),
    own_root(
        "reach the machine's services",
        "for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd/private; do [ -e $s ] && echo ESCAPED; done",
    ),
    everywhere("read shared memory", "cat /dev/shm/$SHM"),
    own_root("remove shared memory", "ipcrm -m $SEGMENT"),
    // Rights.
    own_root(
        "mount something",
        "mount -t tmpfs none $TOP/repo || mount -t tmpfs none /windlass/work/x; unshare -Urm mount -t tmpfs none /windlass/work",
    ),
    own_root(
        "take a cover away",
        "umount -l /etc/ssh /proc /; unshare -Urm umount -l /etc/shadow; grep -q : /etc/shadow && echo ESCAPED",
    ),
    own_root(
        "make the system writable",
        "mount -o remount,rw /usr; unshare -Urm sh -c 'mount -o remount,rw /usr; : > /usr/windlass-escape' && echo ESCAPED",
    ),
    own_root(
        "leave by changing the root",
        "mkdir -p jail; unshare -Urm python3 -c 'import os; f=os.open(\"/\",0); os.chroot(\"jail\"); os.fchdir(f); [os.chdir(\"..\") for _ in range(64)]; os.chroot(\".\"); print(open(os.environ[\"TOP\"]+\"/home/.netrc\").read())'",
    ),
    own_root(
        "see processes from a deeper place",
        "unshare -Urpmf sh -c 'mount -t proc none /proc; cat /proc/1/root$TOP/home/.netrc; kill -9 $VICTIM'",
    ),
    own_root(
        "have rights",
        "grep -E '^(CapEff|CapBnd|CapPrm):.*[1-9a-f]' /proc/self/status && echo ESCAPED; grep -q 'NoNewPrivs:.*1' /proc/self/status || echo ESCAPED",
    ),
    own_root(
        "get rights from a program",
        "cp $(command -v id) mine && chmod 4755 mine && ./mine -u | grep -qv \"$(id -u)\" && echo ESCAPED; find /usr/bin /usr/sbin -maxdepth 1 -perm -4000 -exec sh -c 'echo | timeout 1 \"$0\" -c id' {} \\; 2>/dev/null | grep 'uid=0' | grep -v \"uid=$(id -u)\" && echo ESCAPED",
    ),
    own_root(
        "name the machine",
        "hostname windlass-escape; echo windlass-escape > /proc/sys/kernel/hostname",
    ),
    own_root("set the clock", "date -s @0 >/dev/null && echo ESCAPED"),
    own_root(
        "type into a terminal",
        "(exec 3<>/dev/tty) && echo ESCAPED; python3 -c 'import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, b\"x\"); print(\"ESCAPED\")'",
    ),
    Attempt {
        name: "leave a key in the kernel",
        at: Where::Bubblewrap,
        script: "python3 -c 'import ctypes,platform; n=248 if platform.machine()==\"x86_64\" else 217; r=ctypes.CDLL(None).syscall(n,b\"user\",b\"windlass\",b\"x\",1,-3); print(\"ESCAPED\" if r>=0 else \"\")'",
    },
];
