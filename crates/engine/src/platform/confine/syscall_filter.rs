//! A small system call filter for what namespaces do not cover.
//!
//! Kernel keys are inherited across namespaces, a terminal can be made to type, and kernel programs see everything. The
//! namespaces cover the rest.

/// Numbers of one architecture.
struct Arch {
    /// How the kernel calls it.
    audit: u32,
    /// `add_key`, `request_key`, `keyctl`, `bpf`, `userfaultfd`.
    refused: [u32; 5],
    ioctl: u32,
}

#[cfg(target_arch = "x86_64")]
const ARCH: Option<Arch> = Some(Arch { audit: 0xC000_003E, refused: [248, 249, 250, 321, 323], ioctl: 16 });
#[cfg(target_arch = "aarch64")]
const ARCH: Option<Arch> = Some(Arch { audit: 0xC000_00B7, refused: [217, 218, 219, 280, 282], ioctl: 29 });
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCH: Option<Arch> = None;

/// Makes a terminal type something.
const TIOCSTI: u32 = 0x5412;
/// The same for the console.
const TIOCLINUX: u32 = 0x541C;
/// Calls of the x32 interface have this bit set.
const X32: u32 = 0x4000_0000;

const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_GREATER_EQUAL: u16 = 0x35;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7FFF_0000;
/// Fails with "not permitted".
const REFUSE: u32 = 0x0005_0001;
/// Fails with "no such call".
const UNKNOWN: u32 = 0x0005_0026;

/// One instruction: what, where to go if true and if false, and its operand.
type FilterStep = (u16, u8, u8, u32);

/// The filter in the kernel's form; `None` where this architecture's numbers are not known.
pub(super) fn program() -> Option<Vec<u8>> {
    ARCH.map(|arch| steps(&arch).iter().flat_map(|step| bytes(*step)).collect())
}

fn steps(arch: &Arch) -> Vec<FilterStep> {
    // The architecture lies at 4, the call's number at 0, its second argument at 24.
    let mut steps = vec![
        (LOAD, 0, 0, 4),
        (JUMP_IF_EQUAL, 1, 0, arch.audit),
        (RETURN, 0, 0, UNKNOWN),
        (LOAD, 0, 0, 0),
        (JUMP_IF_GREATER_EQUAL, 0, 1, X32),
        (RETURN, 0, 0, UNKNOWN),
    ];
    for call in arch.refused {
        steps.extend([(JUMP_IF_EQUAL, 0, 1, call), (RETURN, 0, 0, REFUSE)]);
    }
    steps.extend([
        (JUMP_IF_EQUAL, 1, 0, arch.ioctl),
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, 24),
        (JUMP_IF_EQUAL, 1, 0, TIOCSTI),
        (JUMP_IF_EQUAL, 0, 1, TIOCLINUX),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]);
    steps
}

fn bytes((code, if_true, if_false, operand): FilterStep) -> [u8; 8] {
    let ([c0, c1], [k0, k1, k2, k3]) = (code.to_ne_bytes(), operand.to_ne_bytes());
    [c0, c1, if_true, if_false, k0, k1, k2, k3]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the filter as the kernel would.
    fn verdict(steps: &[FilterStep], arch: u32, call: u32, argument: u32) -> u32 {
        let (mut at, mut value) = (0, 0);
        loop {
            let (code, if_true, if_false, operand) = steps[at];
            at += 1;
            let jump = |yes: bool| usize::from(if yes { if_true } else { if_false });
            match code {
                LOAD => {
                    value = match operand {
                        0 => call,
                        4 => arch,
                        _ => argument,
                    }
                }
                JUMP_IF_EQUAL => at += jump(value == operand),
                JUMP_IF_GREATER_EQUAL => at += jump(value >= operand),
                _ => return operand,
            }
        }
    }

    #[test]
    fn only_what_reaches_out_is_refused() {
        let arch = Arch { audit: 7, refused: [248, 249, 250, 321, 323], ioctl: 16 };
        let steps = steps(&arch);
        let ask = |call, argument| verdict(&steps, 7, call, argument);
        for call in arch.refused {
            assert_eq!(ask(call, 0), REFUSE, "{call}");
        }
        assert_eq!((ask(16, TIOCSTI), ask(16, TIOCLINUX), ask(16, 0x5413)), (REFUSE, REFUSE, ALLOW));
        assert_eq!((ask(0, TIOCSTI), ask(59, 0), ask(435, 0)), (ALLOW, ALLOW, ALLOW));
        assert_eq!(ask(X32 + 250, 0), UNKNOWN);
        assert_eq!(verdict(&steps, 3, 1, 0), UNKNOWN);
    }
}
