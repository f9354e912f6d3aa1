//! Brings up the loopback of a network that has nothing else.

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, recv, send, socket};

use super::failed;

/// Brings up `lo`, which is always the first device.
pub(super) fn bring_up() -> Result<(), String> {
    let link = socket(AddressFamily::NETLINK, SocketType::RAW, None).map_err(failed("ask the kernel"))?;
    send(&link, &request(), SendFlags::empty()).map_err(failed("ask for a loopback"))?;
    let mut answer = [0; 64];
    let (read, _) = recv(&link, &mut answer, RecvFlags::empty()).map_err(failed("hear the kernel"))?;
    // After the header of 16 bytes comes the error's number, negative; zero is none.
    match answer.get(16..20) {
        Some([0, 0, 0, 0]) if read >= 20 => Ok(()),
        _ => Err("cannot bring up the loopback".into()),
    }
}

/// "Set the device 1 up, and answer."
fn request() -> Vec<u8> {
    const SET_LINK: u16 = 16;
    const REQUEST_AND_ANSWER: u16 = 5;
    const UP: u32 = 1;
    let mut bytes = Vec::with_capacity(32);
    bytes.extend(32_u32.to_ne_bytes());
    bytes.extend(SET_LINK.to_ne_bytes());
    bytes.extend(REQUEST_AND_ANSWER.to_ne_bytes());
    bytes.extend([0; 8]);
    bytes.extend([0; 4]);
    bytes.extend(1_i32.to_ne_bytes());
    bytes.extend(UP.to_ne_bytes());
    bytes.extend(UP.to_ne_bytes());
    bytes
}
