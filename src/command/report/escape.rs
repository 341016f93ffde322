//! Escaping of untrusted text.

use serde_json::Value;

/// Escapes text between tags or in a quoted attribute.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes JSON in a script element, where `</script>` and `<!--` are special: no `<`, `>` or `&`
/// is left.
pub fn json(value: &Value) -> String {
    // These letters occur only inside of JSON strings.
    let text = value.to_string();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Quotes a word of a shell command.
pub fn shell(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,+%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_its_quotation() {
        let nasty = "</script><b>\"'&\u{2028}<!--";
        assert!(!html(nasty).contains(['<', '>', '"', '\'']));
        let inside = json(&Value::from(nasty));
        assert!(!inside.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<Value>(&inside).unwrap(), nasty);
        assert_eq!(shell("distance>=3"), "'distance>=3'");
        assert_eq!(shell("it's"), "'it'\\''s'");
        assert_eq!(shell("refreshed:0.1"), "refreshed:0.1");
        assert_eq!(shell(""), "''");
    }
}
