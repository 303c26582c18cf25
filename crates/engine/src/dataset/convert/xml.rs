//! XML as a stream of elements and texts. Entities that a document defines itself are not followed: nobody who
//! annotates images needs them, and they are what makes XML dangerous.

use std::io::{BufRead, Read};

use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};

/// What comes next in a document.
#[derive(Debug, PartialEq)]
pub(super) enum Item {
    /// An element begins.
    Start { name: String, attributes: Vec<(String, String)> },
    /// The element that began last ends; with its own text, trimmed.
    End { name: String, text: String },
}

/// Why a document cannot be read on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    /// Counted from 1.
    pub(super) line: u32,
    pub(super) message: String,
}

/// Elements nested deeper than this are no annotations.
const DEEPEST: usize = 64;
/// Bytes of one element's name and attributes, or of one text. An outline of a hundred thousand points has two million.
const LONGEST: usize = 16 << 20;

/// A document that is read from its beginning to its end.
pub(super) struct Document<R: BufRead> {
    reader: Reader<Counted<R>>,
    buffer: Vec<u8>,
    /// The elements that are open, each with its own text so far.
    open: Vec<(String, String)>,
}

impl<R: BufRead> Document<R> {
    pub(super) fn new(source: R) -> Self {
        let mut reader = Reader::from_reader(Counted { source, lines: 1, left: LONGEST });
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), open: Vec::new() }
    }

    /// The line that was read last.
    pub(super) fn line(&self) -> u32 {
        self.reader.get_ref().lines
    }

    fn broken(&self, message: impl ToString) -> Broken {
        Broken { line: self.line(), message: message.to_string() }
    }

    /// What comes next; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Item>, Broken> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left = LONGEST;
            let line = self.reader.get_ref().lines;
            let event = self
                .reader
                .read_event_into(&mut self.buffer)
                .map_err(|error| Broken { line, message: error.to_string() })?;
            let broken = |message: String| Broken { line, message };
            match event {
                Event::Start(start) => {
                    let name = start.local_name().as_ref().to_owned();
                    let mut attributes = Vec::new();
                    for attribute in start.attributes() {
                        let attribute = attribute.map_err(|error| broken(error.to_string()))?;
                        let value = attribute
                            .normalized_value(XmlVersion::Implicit1_0)
                            .map_err(|error| broken(error.to_string()))?;
                        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
                    }
                    if self.open.len() >= DEEPEST {
                        return Err(broken("nested too deeply".to_owned()));
                    }
                    self.open.push((name.clone(), String::new()));
                    return Ok(Some(Item::Start { name, attributes }));
                }
                Event::End(_) => {
                    let Some((name, text)) = self.open.pop() else { return Err(broken("unexpected end".to_owned())) };
                    return Ok(Some(Item::End { name, text: text.trim().to_owned() }));
                }
                Event::Text(text) => push(&mut self.open, &text.xml10_content()),
                Event::CData(text) => push(&mut self.open, &text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let found = match &*reference {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => reference.resolve_char_ref().map_err(|error| broken(error.to_string()))?,
                    };
                    match found {
                        Some(character) => push(&mut self.open, character.encode_utf8(&mut [0; 4])),
                        None => return Err(broken(format!("unknown entity {}", &*reference))),
                    }
                }
                Event::Eof if self.open.is_empty() => return Ok(None),
                Event::Eof => return Err(self.broken("the file ends too early")),
                _ => {}
            }
        }
    }
}

fn push(open: &mut [(String, String)], text: &str) {
    if let Some((_, own)) = open.last_mut().filter(|(_, own)| own.len() < LONGEST) {
        own.push_str(text);
    }
}

/// The value of an attribute.
pub(super) fn attribute<'a>(attributes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// Counts lines on the way, and stops where a piece of the document gets too long to be held.
struct Counted<R> {
    source: R,
    lines: u32,
    /// Bytes that the piece may still have.
    left: usize,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.source.read(buffer)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if self.left == 0 {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Ok(held) = self.source.fill_buf() {
            let lines = held.iter().take(amount).filter(|byte| **byte == b'\n').count();
            self.lines = self.lines.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        }
        self.left = self.left.saturating_sub(amount);
        self.source.consume(amount);
    }
}
