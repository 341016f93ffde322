//! Derivations, fingerprints and byte forms against an independent program,
//! `node/vectors/derive.py`.

mod mailbox;

use mailbox::network;
use muffliato_fast::noise::Grid;
use muffliato_model::Protocol;
use muffliato_node::link::{SecretKey, agree};
use muffliato_node::{Body, Message, NodeProtocol, Secrets, Terms};

fn answer(name: &str) -> Vec<u8> {
    let file = include_str!("../vectors/derivations.txt");
    let line = file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
    let digits = line.unwrap_or_else(|| panic!("{name}")).as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

fn array<const N: usize>(name: &str) -> [u8; N] {
    answer(name).try_into().unwrap()
}

#[test]
fn everything_is_as_the_other_program_derives_it() {
    let run = array("run");
    let secrets = ["secret of 3", "secret of 12"].map(|name| SecretKey::new(array(name)));
    assert_eq!(secrets[0].public(), array("public of 3"));
    assert_eq!(secrets[1].public(), array("public of 12"));
    let ((_, mask), three) =
        agree(3, &secrets[0], &[(12, secrets[1].public())], run).unwrap().remove(0);
    let ((_, same), twelve) =
        agree(12, &secrets[1], &[(3, secrets[0].public())], run).unwrap().remove(0);
    assert_eq!(mask.bytes(), &array::<32>("mask key"));
    assert_eq!(same.bytes(), &array::<32>("mask key"));

    let protocol = Protocol::gradient_descent(network("path:3"), 2, 3).unwrap();
    let protocol = protocol.masked("5/2".parse().unwrap()).unwrap();
    let protocol = protocol.refreshed("1/10".parse().unwrap()).unwrap();
    let grid = Grid::try_new(2_f64.powi(-20)).unwrap();
    let terms = Terms { sigma: 1.5, sensitivity: 2.0, coordinates: 4, grid, run };
    let agreed = NodeProtocol::of(&protocol, terms).unwrap();
    assert_eq!(agreed.fingerprint().to_bytes().to_vec(), answer("fingerprint"));

    let hello = agreed.node(0, vec![0.0; 4], Secrets::Seed(0)).unwrap().hello();
    let hello = Message { from: 3, ..hello };
    let values = Body::Values { step: 5, values: vec![-1, 1 << 52, 7] };
    let values = Message { run, from: 3, body: values };
    let ask = Message { run, from: 12, body: Body::Ask { step: 5 } };
    assert_eq!(hello.to_bytes(), answer("hello of 3"));
    assert_eq!(values.to_bytes(), answer("values of 3"));
    assert_eq!(ask.to_bytes(), answer("ask of 12"));
    for (sender, receiver, message, name) in [
        (&three, &twelve, hello, "hello of 3 sealed for 12"),
        (&three, &twelve, values, "values of 3 sealed for 12"),
        (&twelve, &three, ask, "ask of 12 sealed for 3"),
    ] {
        assert_eq!(sender.seal(&message).unwrap(), answer(name), "{name}");
        assert_eq!(receiver.open(answer(name), 256).unwrap(), message, "{name}");
    }
}
