//! YAML as the trainer reads it: YAML 1.1 by the rules of PyYAML's `safe_load`, with the line of every value.
//!
//! The difference to YAML 1.2 matters here: a class named `no` is a boolean, `012` is ten, `1:30` is ninety.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Counted from 1.
    pub line: u32,
    /// What it is.
    pub value: Value,
}

/// What a value is to Python.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `None`.
    Null,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `str`.
    Text(String),
    /// `datetime`, as written.
    Date(String),
    /// `list`.
    List(Vec<Node>),
    /// `dict`; of a key that comes twice, the last counts.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The value of a text key of a mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().rev().find(|(k, _)| matches!(&k.value, Value::Text(text) if text == key)).map(|(_, value)| value)
    }

    /// Its text, if it is text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Python's name of its type.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Text(_) => "str",
            Value::Date(_) => "date",
            Value::List(_) => "list",
            Value::Map(_) => "dict",
        }
    }

    /// What Python's `str()` makes of it.
    #[must_use]
    pub fn python_str(&self) -> String {
        match &self.value {
            Value::Null => "None".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) => python_float_str(*number),
            Value::Text(text) | Value::Date(text) => text.clone(),
            Value::List(items) => {
                let items: Vec<_> = items.iter().map(Node::python_str).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Map(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(k, v)| format!("{}: {}", k.python_str(), v.python_str())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

/// Why a text is no YAML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Counted from 1.
    pub line: u32,
    /// What the parser says.
    pub message: String,
}

/// How deeply values may be nested. A dataset needs three levels; Python gives up at about a thousand.
const DEPTH: usize = 100;
/// How many values a file may hold once its aliases are followed: far above any dataset, far below a bomb.
const NODES: usize = 200_000;
/// Bytes of a text that count as much as a value.
const LONG: usize = 64;

/// Reads one YAML document. Bytes that are no UTF-8 are passed over, as the trainer does.
///
/// # Errors
/// The first place that is no YAML.
pub fn parse(bytes: &[u8]) -> Result<Node, SyntaxError> {
    // Characters that YAML does not allow make the trainer try again without them.
    let text: String =
        bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| is_printable(*c)).collect();
    parse_text(text.strip_prefix('\u{feff}').unwrap_or(&text))
}

fn is_printable(c: char) -> bool {
    matches!(c,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}'
        | '\u{10000}'..='\u{10ffff}')
}

fn parse_text(text: &str) -> Result<Node, SyntaxError> {
    // A document that ends before it began is none to PyYAML.
    let begins = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    if let Some((line, _)) = (1..).zip(text.lines()).find(|(_, line)| begins(line)).filter(|(_, line)| is_end(line)) {
        return Err(error(line, "the document ends before it begins"));
    }
    let mut builder = Builder { parser: Parser::new_from_str(text), anchors: HashMap::new(), left: NODES };
    let mut document = None;
    loop {
        let (event, line) = builder.next()?;
        match event {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            _ if document.is_some() => return Err(error(line, "a second document begins")),
            event => document = Some(builder.node(event, line, 0)?),
        }
    }
    Ok(document.unwrap_or(Node { line: 1, value: Value::Null }))
}

fn is_end(line: &str) -> bool {
    line.strip_prefix("...").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn error(line: u32, message: &str) -> SyntaxError {
    SyntaxError { line, message: message.to_owned() }
}

struct Builder<'input> {
    parser: Parser<'input, StrInput<'input>>,
    anchors: HashMap<usize, Node>,
    /// Values that may still be made.
    left: usize,
}

impl<'input> Builder<'input> {
    fn next(&mut self) -> Result<(Event<'input>, u32), SyntaxError> {
        let line_of = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        match self.parser.next_event() {
            None => Ok((Event::StreamEnd, 1)),
            Some(Ok((event, span))) => Ok((event, line_of(span.start.line()))),
            Some(Err(scan)) => Err(error(line_of(scan.marker().line()), scan.info())),
        }
    }

    fn node(&mut self, event: Event<'input>, line: u32, depth: usize) -> Result<Node, SyntaxError> {
        if depth > DEPTH {
            return Err(error(line, "nested too deeply"));
        }
        self.take(1, line)?;
        let (anchor, value) = match event {
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned().ok_or_else(|| error(line, "an unknown alias"))?;
                self.take(size(&node), line)?;
                return Ok(node);
            }
            Event::Scalar(text, style, anchor, tag) => (anchor, scalar(&text, style, tag.as_deref(), line)?),
            Event::SequenceStart(anchor, tag) => {
                only(tag.as_deref(), "seq", line)?;
                let mut items = Vec::new();
                loop {
                    let (event, line) = self.next()?;
                    if matches!(event, Event::SequenceEnd) {
                        break (anchor, Value::List(items));
                    }
                    items.push(self.node(event, line, depth + 1)?);
                }
            }
            Event::MappingStart(anchor, tag) => {
                only(tag.as_deref(), "map", line)?;
                let mut entries = Vec::new();
                let mut merged = Vec::new();
                loop {
                    let (event, line) = self.next()?;
                    if matches!(event, Event::MappingEnd) {
                        // What is written in the mapping itself wins: it comes later.
                        merged.append(&mut entries);
                        break (anchor, Value::Map(merged));
                    }
                    let merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<");
                    let key = self.node(event, line, depth + 1)?;
                    if matches!(key.value, Value::List(_) | Value::Map(_)) {
                        return Err(error(line, "a list or mapping cannot be a key"));
                    }
                    let (event, value_line) = self.next()?;
                    let value = self.node(event, value_line, depth + 1)?;
                    if merge { merge_into(&mut merged, value)? } else { entries.push((key, value)) }
                }
            }
            _ => return Err(error(line, "unexpected end")),
        };
        let node = Node { line, value };
        if anchor > 0 {
            // It is kept a second time.
            self.take(size(&node), line)?;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn take(&mut self, count: usize, line: u32) -> Result<(), SyntaxError> {
        self.left = self.left.checked_sub(count).ok_or_else(|| error(line, "too many values"))?;
        Ok(())
    }
}

/// Refuses every tag but the one that says what the value is anyway.
fn only(tag: Option<&Tag>, suffix: &str, line: u32) -> Result<(), SyntaxError> {
    match tag {
        Some(tag) if !tag.is_yaml_core_schema() || tag.suffix != suffix => Err(unknown(tag, line)),
        _ => Ok(()),
    }
}

fn unknown(tag: &Tag, line: u32) -> SyntaxError {
    error(line, &format!("the tag {tag} means nothing here"))
}

fn merge_into(merged: &mut Vec<(Node, Node)>, node: Node) -> Result<(), SyntaxError> {
    match node.value {
        Value::Map(entries) => merged.extend(entries),
        // Of several, the first wins: it has to come last.
        Value::List(items) => items.into_iter().rev().try_for_each(|item| merge_into(merged, item))?,
        _ => return Err(error(node.line, "only a mapping can be merged")),
    }
    Ok(())
}

/// How much a value counts when it is made again: its parts, and what its text takes.
fn size(node: &Node) -> usize {
    match &node.value {
        Value::Text(text) | Value::Date(text) => 1 + text.len() / LONG,
        Value::List(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|(key, value)| size(key) + size(value)).sum::<usize>(),
        _ => 1,
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>, line: u32) -> Result<Value, SyntaxError> {
    let plain = || resolve(text);
    Ok(match tag {
        None if style == ScalarStyle::Plain => plain(),
        None => Value::Text(text.to_owned()),
        Some(tag) if tag.is_yaml_core_schema() => match (tag.suffix.as_str(), plain()) {
            ("str" | "binary", _) => Value::Text(text.to_owned()),
            ("int", value @ Value::Int(_))
            | ("float", value @ Value::Float(_))
            | ("bool", value @ Value::Bool(_))
            | ("timestamp", value @ Value::Date(_)) => value,
            #[expect(clippy::cast_precision_loss, reason = "as Python does")]
            ("float", Value::Int(number)) => Value::Float(number as f64),
            ("null", _) => Value::Null,
            (suffix, _) => return Err(error(line, &format!("`{text}` is no {suffix}"))),
        },
        Some(tag) if tag.handle == "!" && tag.suffix.is_empty() => Value::Text(text.to_owned()),
        Some(tag) => return Err(unknown(tag, line)),
    })
}

/// What a plain scalar means: the resolvers of YAML 1.1 as PyYAML has them.
fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => return Value::Bool(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => return Value::Bool(false),
        _ => {}
    }
    if let Some(number) = int(text) {
        return number;
    }
    if let Some(number) = float(text) {
        return Value::Float(number);
    }
    if is_date(text) { Value::Date(text.to_owned()) } else { Value::Text(text.to_owned()) }
}

fn int(text: &str) -> Option<Value> {
    let (negative, digits) = sign(text);
    let only =
        |digits: &str, allowed: fn(&u8) -> bool| !digits.is_empty() && digits.bytes().all(|b| b == b'_' || allowed(&b));
    let value: f64;
    let plain: String = digits.chars().filter(|c| *c != '_').collect();
    let radix = |digits: &str, radix: u32| i64::from_str_radix(digits, radix).ok();
    let whole = if let Some(rest) = digits.strip_prefix("0b").filter(|rest| only(rest, |b| matches!(b, b'0' | b'1'))) {
        radix(&rest.replace('_', ""), 2)
    } else if let Some(rest) = digits.strip_prefix("0x").filter(|rest| only(rest, u8::is_ascii_hexdigit)) {
        radix(&rest.replace('_', ""), 16)
    } else if digits == "0" {
        Some(0)
    } else if digits.starts_with('0') && digits.len() > 1 && only(&digits[1..], |b| matches!(b, b'0'..=b'7')) {
        radix(&plain, 8)
    } else if digits.starts_with(|c: char| matches!(c, '1'..='9')) && only(digits, u8::is_ascii_digit) {
        match plain.parse() {
            Ok(number) => Some(number),
            // Python's integers have no end; nothing in a dataset needs one this large.
            Err(_) => {
                value = plain.parse().ok()?;
                return Some(Value::Float(if negative { -value } else { value }));
            }
        }
    } else if digits.starts_with(|c: char| matches!(c, '1'..='9')) && digits.contains(':') {
        sexagesimal(&plain)
    } else {
        None
    }?;
    Some(Value::Int(if negative { whole.checked_neg()? } else { whole }))
}

/// `1:30` is ninety to YAML 1.1.
fn sexagesimal(digits: &str) -> Option<i64> {
    let mut parts = digits.split(':');
    let first = parts.next().filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?;
    let mut total: i64 = first.parse().ok()?;
    for part in parts {
        let fits = matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
        total = total.checked_mul(60)?.checked_add(part.parse().ok().filter(|_| fits)?)?;
    }
    Some(total)
}

fn float(text: &str) -> Option<f64> {
    let (negative, body) = sign(text);
    let signed = |value: f64| if negative { -value } else { value };
    match body {
        ".inf" | ".Inf" | ".INF" => return Some(signed(f64::INFINITY)),
        ".nan" | ".NaN" | ".NAN" if body.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    let (mantissa, exponent) = body.split_once(['e', 'E']).map_or((body, None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa.split_once('.')?;
    // Unlike Python, YAML 1.1 wants a sign in the exponent: `1.0e5` is text.
    let exponent_fits = exponent.is_none_or(|exponent| {
        exponent.starts_with(['+', '-']) && exponent.len() > 1 && exponent[1..].bytes().all(|b| b.is_ascii_digit())
    });
    let digits = |text: &str| text.bytes().all(|b| b == b'_' || b.is_ascii_digit());
    let starts_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if exponent_fits && digits(whole) && digits(fraction) {
        let leading_point = whole.is_empty() && body.len() == text.len() && starts_with_digit(fraction);
        if leading_point || starts_with_digit(whole) {
            return body.replace('_', "").parse().ok().map(signed);
        }
        return None;
    }
    if exponent.is_none() && whole.contains(':') && starts_with_digit(whole) && digits(fraction) {
        #[expect(clippy::cast_precision_loss, reason = "as Python does")]
        let minutes = sexagesimal(&whole.replace('_', ""))? as f64;
        let fraction = fraction.replace('_', "");
        let fraction: f64 = if fraction.is_empty() { 0.0 } else { format!("0.{fraction}").parse().ok()? };
        return Some(signed(minutes + fraction));
    }
    None
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `2024-01-31`, and with a time of day.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|b| b.iter().all(u8::is_ascii_digit));
    if bytes.len() == 10 {
        return digits(0..4) && bytes[4] == b'-' && digits(5..7) && bytes[7] == b'-' && digits(8..10);
    }
    let Some((date, time)) = text.split_once(['T', 't', ' ', '\t']) else { return false };
    let mut parts = date.split('-');
    let part = |part: Option<&str>, lengths: &[usize]| {
        part.is_some_and(|part| lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let date_fits = part(parts.next(), &[4]) && part(parts.next(), &[1, 2]) && part(parts.next(), &[1, 2]);
    let mut clock = time.trim_start().splitn(3, ':');
    date_fits
        && parts.next().is_none()
        && part(clock.next(), &[1, 2])
        && part(clock.next(), &[2])
        && clock
            .next()
            .is_some_and(|seconds| seconds.len() >= 2 && seconds.as_bytes()[..2].iter().all(u8::is_ascii_digit))
}

/// What Python's `str()` makes of a float: as few digits as identify it, an exponent from 1e16 on.
fn python_float_str(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if number != 0.0 && !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        _ => format!("{number:?}"),
    }
}

#[cfg(test)]
mod tests;
