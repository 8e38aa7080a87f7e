//! Sockets, to addresses at which somebody listens.

use crate::{check, Attempt};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::time::Duration;

pub const ATTEMPTS: &[(&str, Attempt)] = &[
    ("tcp", |address| {
        TcpStream::connect(address)?.write(b"?").map(|_| ())
    }),
    ("udp", udp),
    ("listen", |address| TcpListener::bind(address).map(|_| ())),
    ("unix", |path| UnixStream::connect(path).map(|_| ())),
    ("unix-datagram", |_| UnixDatagram::unbound().map(|_| ())),
    ("unix-pair", |_| UnixStream::pair().map(|_| ())),
    ("abstract", |name| {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?).map(|_| ())
    }),
    ("abstract-listen", |name| {
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?).map(|_| ())
    }),
    ("resolve", |name| {
        (name, 80)
            .to_socket_addrs()?
            .next()
            .map(|_| ())
            .ok_or(io::ErrorKind::NotFound.into())
    }),
    ("raw", |_| {
        socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)
    }),
    ("packet", |_| socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
    ("netlink", |_| {
        socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE)
    }),
    ("vsock", |_| socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)),
    ("crypto-socket", |_| {
        socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0)
    }),
    ("send-file-descriptor", |_| {
        // SAFETY: an empty message to the socket that standard output is.
        let message: libc::msghdr = unsafe { std::mem::zeroed() };
        check(unsafe { libc::sendmsg(1, &message, libc::MSG_DONTWAIT) } as i64).map(|_| ())
    }),
];

fn udp(address: &str) -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(Duration::from_secs(5)))?;
    socket.send_to(b"?", address)?;
    socket.recv(&mut [0]).map(|_| ())
}

fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<()> {
    // SAFETY: numbers alone; what was opened is closed.
    unsafe {
        let socket = check(libc::socket(family, kind, protocol).into())?;
        libc::close(socket as i32);
    }
    Ok(())
}
