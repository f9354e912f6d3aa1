//! Finds the JSON object in an agent's answer: agents wrap it in prose and fences.

use serde_json::Value;

/// The last object in the text that has this key. Text around it is ignored.
pub fn find_object(text: &str, key: &str) -> Option<Value> {
    // From the back: the last word counts. An object that does not parse is skipped, not repaired.
    let mut found = None;
    let mut at = 0;
    while let Some(offset) = text[at..].find('{') {
        let start = at + offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                if value.get(key).is_some() {
                    found = Some(value);
                }
            }
            Some(Err(_)) | None => at = start + 1,
        }
    }
    found
}

#[cfg(test)]
mod tests;
