//! Every command of the guide runs.

mod running;
mod workspace;

#[test]
fn commands_of_the_guide_run() {
    for page in [
        "1-model",
        "2-choosing",
        "3-ledger",
        "4-trusting",
        "5-graph-files",
    ] {
        let text = workspace::read(&format!("docs/guide/{page}.md"));
        let blocks = text.split("```sh\n").skip(1);
        let commands = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
        let commands: Vec<&str> = commands.collect();
        assert!(commands.len() >= 2, "{page} has too few commands");
        for command in commands {
            let line = command.replace('\'', "");
            let mut words = line.split(' ');
            assert_eq!(words.next(), Some("muffliato"), "{page}: {command}");
            let arguments: Vec<&str> = words.collect();
            assert!(
                !running::printed(&arguments).is_empty(),
                "{page}: {command}"
            );
        }
    }
}
