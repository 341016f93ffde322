//! Derivations, fingerprints and byte forms against an independent program,
//! `node/vectors/derive.py`.

use crate::mailbox::network;
use muffliato_fast::noise::{Grid, NoiseOf, NoiseSource, RoundedGaussian};
use muffliato_model::Protocol;
use muffliato_node::link::{SecretKey, agree};
use muffliato_node::{Body, Message, NodeError, NodeProtocol, Secrets, Terms};

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
    let protocol = Protocol::gradient_descent(network("path:3"), 2, 3).unwrap();
    let protocol = protocol.masked("5/2".parse().unwrap()).unwrap();
    let protocol = protocol.refreshed("1/10".parse().unwrap()).unwrap();
    let grid = Grid::try_new(2_f64.powi(-20)).unwrap();
    let terms = Terms { sigma: 1.5, sensitivity: 2.0, coordinates: 4, grid, run };
    let agreed = NodeProtocol::of(&protocol, terms).unwrap();
    let ((_, mask), three) =
        agree(&agreed, 3, &secrets[0], &[(12, secrets[1].public())]).unwrap().remove(0);
    let ((_, same), twelve) =
        agree(&agreed, 12, &secrets[1], &[(3, secrets[0].public())]).unwrap().remove(0);
    assert_eq!(mask.bytes(), &array::<32>("mask key"));
    assert_eq!(same.bytes(), &array::<32>("mask key"));
    let mask = agreed.mask_key(&mask);
    assert_eq!(mask.bytes(), &array::<32>("mask key of the fingerprint"));

    assert_eq!(agreed.fingerprint().to_bytes().to_vec(), answer("fingerprint"));
    let epsilon = |_: &Protocol| Ok::<_, NodeError>(1.0);
    let terms = agreed.terms().clone();
    let present = NodeProtocol::of_present(&protocol, &[2], terms, 1.0, epsilon).unwrap();
    assert_eq!(present.terms().run, array("run of those present"));

    // The masks of the first step of the third round, in steps of the grid.
    let mut drawn = [0.0; 40];
    let deviation = 2.5 * agreed.terms().sigma;
    RoundedGaussian::on(grid).draw(NoiseOf::Key(&mask), 6, deviation, &mut drawn).unwrap();
    let masks = answer("masks of step 6 in steps");
    let masks = masks.chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap()));
    assert!(masks.eq(drawn.map(|value| (value / grid.step()) as i64)));

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
