//! Reading a Python pickle without running it: what would be called stays a description of the call.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A checkpoint has tens of thousands of values. What has more than this is something else.
const MOST_VALUES: usize = 1_000_000;

/// A value of a pickle. Lists, dictionaries and objects are [`Node`]s, because they may name each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// `None`, and everything that nobody here asks for: bytes, numbers of more than 64 bits.
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    Node(usize),
}

/// A value with parts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A list, tuple or set.
    List(Vec<Value>),
    Dict(Vec<(Value, Value)>),
    /// A class or function: module and name.
    Global(Rc<str>, Rc<str>),
    /// What calling `what` with `arguments` would make, with the state and the items it would be given afterwards.
    Call {
        what: Value,
        arguments: Value,
        state: Value,
        items: Vec<(Value, Value)>,
    },
    /// Something kept outside of the pickle.
    Outside(Value),
}

/// A pickle that was read.
#[derive(Debug)]
pub(super) struct Pickle {
    nodes: Vec<Node>,
    pub(super) root: Value,
}

/// Why a pickle cannot be read: it is cut off, or no pickle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of the pickle: {what}")]
pub(super) struct Unread {
    at: usize,
    what: &'static str,
}

impl Pickle {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unread> {
        let mut reader =
            Reader { bytes, at: 0, stack: Vec::new(), marks: Vec::new(), memo: HashMap::new(), nodes: Vec::new() };
        let root = reader.run()?;
        Ok(Self { nodes: reader.nodes, root })
    }

    pub(super) fn node(&self, value: &Value) -> Option<&Node> {
        match value {
            Value::Node(index) => self.nodes.get(*index),
            _ => None,
        }
    }

    /// Every class and function that reading it in Python would look up.
    pub(super) fn globals(&self) -> BTreeSet<(&str, &str)> {
        self.nodes
            .iter()
            .filter_map(|node| match node {
                Node::Global(module, name) => Some((&**module, &**name)),
                _ => None,
            })
            .collect()
    }

    /// What is kept outside.
    pub(super) fn outside(&self) -> impl Iterator<Item = &[Value]> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Outside(id) => self.list(id),
            _ => None,
        })
    }

    pub(super) fn list(&self, value: &Value) -> Option<&[Value]> {
        match self.node(value)? {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a dictionary, or of an object that behaves like one.
    pub(super) fn entries(&self, value: &Value) -> Option<&[(Value, Value)]> {
        match self.node(value)? {
            Node::Dict(entries) | Node::Call { items: entries, .. } => Some(entries),
            _ => None,
        }
    }

    pub(super) fn entry(&self, value: &Value, key: &str) -> Option<&Value> {
        let found = |(name, _): &&(Value, Value)| matches!(name, Value::Text(name) if &**name == key);
        self.entries(value)?.iter().rev().find(found).map(|(_, value)| value)
    }

    /// An attribute of an object.
    pub(super) fn attribute(&self, value: &Value, name: &str) -> Option<&Value> {
        match self.node(value)? {
            Node::Call { state, .. } => self.entry(state, name),
            _ => None,
        }
    }

    /// Module and name of an object's class, or of the function that makes it.
    pub(super) fn made_by(&self, value: &Value) -> Option<(&str, &str)> {
        match self.node(value)? {
            Node::Call { what, .. } => match self.node(what)? {
                Node::Global(module, name) => Some((module, name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The arguments of the call that makes an object.
    pub(super) fn arguments(&self, value: &Value) -> Option<&[Value]> {
        match self.node(value)? {
            Node::Call { arguments, .. } => self.list(arguments),
            _ => None,
        }
    }

    /// Visits every value that can be reached from one, each node once.
    pub(super) fn visit(&self, from: &Value, mut see: impl FnMut(&Value)) {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting = vec![from];
        while let Some(value) = waiting.pop() {
            let Value::Node(index) = value else { continue };
            let Some(node) = self.nodes.get(*index) else { continue };
            if std::mem::replace(&mut seen[*index], true) {
                continue;
            }
            see(value);
            match node {
                Node::List(items) => waiting.extend(items),
                Node::Dict(entries) => waiting.extend(entries.iter().flat_map(|(key, value)| [key, value])),
                Node::Call { what, arguments, state, items } => {
                    waiting.extend([what, arguments, state]);
                    waiting.extend(items.iter().flat_map(|(key, value)| [key, value]));
                }
                Node::Outside(id) => waiting.push(id),
                Node::Global(..) => {}
            }
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    stack: Vec<Value>,
    /// Heights of the stack.
    marks: Vec<usize>,
    memo: HashMap<u64, Value>,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<Value, Unread> {
        loop {
            let code = self.take::<1>()?[0];
            match code {
                b'.' => return self.pop(),
                0x80 => drop(self.take::<1>()?),
                // A frame only tells how much to read at once.
                0x95 => drop(self.take::<8>()?),
                b'(' => self.marks.push(self.stack.len()),
                b'0' => drop(self.pop()?),
                b'1' => drop(self.above_mark()?),
                b'2' => self.push(self.top()?.clone())?,
                b'N' => self.push(Value::None)?,
                0x88 => self.push(Value::Bool(true))?,
                0x89 => self.push(Value::Bool(false))?,
                b'J' => self.int(|reader| Ok(i32::from_le_bytes(reader.take()?).into()))?,
                b'K' => self.int(|reader| Ok(reader.take::<1>()?[0].into()))?,
                b'M' => self.int(|reader| Ok(u16::from_le_bytes(reader.take()?).into()))?,
                0x8a => self.long(Self::length1)?,
                0x8b => self.long(Self::length4)?,
                b'G' => {
                    let number = f64::from_be_bytes(self.take()?);
                    self.push(Value::Float(number))?;
                }
                0x8c | b'U' => self.text(Self::length1)?,
                b'X' | b'T' => self.text(Self::length4)?,
                0x8d => self.text(Self::length8)?,
                b'C' => self.data(Self::length1)?,
                b'B' => self.data(Self::length4)?,
                0x8e | 0x96 => self.data(Self::length8)?,
                b']' | b')' | 0x8f => self.make(Node::List(Vec::new()))?,
                b'l' | b't' | 0x91 => {
                    let items = self.above_mark()?;
                    self.make(Node::List(items))?;
                }
                0x85..=0x87 => {
                    let from = self.stack.len().checked_sub(usize::from(code - 0x84)).ok_or(self.wrong("no values"))?;
                    let items = self.stack.split_off(from);
                    self.make(Node::List(items))?;
                }
                b'a' => {
                    let item = self.pop()?;
                    self.append(vec![item])?;
                }
                b'e' | 0x90 => {
                    let items = self.above_mark()?;
                    self.append(items)?;
                }
                b'}' => self.make(Node::Dict(Vec::new()))?,
                b'd' => {
                    let items = self.above_mark()?;
                    self.make(Node::Dict(pairs(items)))?;
                }
                b's' => {
                    let value = self.pop()?;
                    let key = self.pop()?;
                    self.set(vec![(key, value)])?;
                }
                b'u' => {
                    let items = self.above_mark()?;
                    self.set(pairs(items))?;
                }
                b'c' => {
                    let (module, name) = (self.line()?, self.line()?);
                    self.make(Node::Global(module, name))?;
                }
                0x93 => match (self.pop()?, self.pop()?) {
                    (Value::Text(name), Value::Text(module)) => self.make(Node::Global(module, name))?,
                    _ => return Err(self.wrong("no names of a class")),
                },
                b'R' | 0x81 => {
                    let arguments = self.pop()?;
                    let what = self.pop()?;
                    self.call(what, arguments)?;
                }
                0x92 => {
                    drop(self.pop()?);
                    let arguments = self.pop()?;
                    let what = self.pop()?;
                    self.call(what, arguments)?;
                }
                b'o' => {
                    let mut items = self.above_mark()?;
                    if items.is_empty() {
                        return Err(self.wrong("no class"));
                    }
                    let what = items.remove(0);
                    let arguments = self.node(Node::List(items))?;
                    self.call(what, arguments)?;
                }
                b'i' => {
                    let (module, name) = (self.line()?, self.line()?);
                    let items = self.above_mark()?;
                    let what = self.node(Node::Global(module, name))?;
                    let arguments = self.node(Node::List(items))?;
                    self.call(what, arguments)?;
                }
                b'b' => {
                    let given = self.pop()?;
                    let object = self.top()?.clone();
                    // A state of two parts: attributes, and slots that nothing here has.
                    let given = match self.part(&given) {
                        Some(Node::List(parts)) if parts.len() == 2 => parts[0].clone(),
                        _ => given,
                    };
                    if let Value::Node(index) = object
                        && let Some(Node::Call { state, .. }) = self.nodes.get_mut(index)
                    {
                        *state = given;
                    }
                }
                b'Q' => {
                    let id = self.pop()?;
                    self.make(Node::Outside(id))?;
                }
                b'q' => self.remember(Self::length1)?,
                b'r' => self.remember(Self::length4)?,
                0x94 => {
                    let next = self.memo.len() as u64;
                    self.memo.insert(next, self.top()?.clone());
                }
                b'h' => self.recall(Self::length1)?,
                b'j' => self.recall(Self::length4)?,
                _ => return Err(self.wrong("an unknown instruction")),
            }
        }
    }

    fn wrong(&self, what: &'static str) -> Unread {
        Unread { at: self.at, what }
    }

    fn slice(&mut self, length: u64) -> Result<&[u8], Unread> {
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        match end.filter(|end| *end <= self.bytes.len()) {
            Some(end) => Ok(&self.bytes[std::mem::replace(&mut self.at, end)..end]),
            None => Err(self.wrong("it ends here")),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Unread> {
        let mut taken = [0; N];
        taken.copy_from_slice(self.slice(N as u64)?);
        Ok(taken)
    }

    fn length1(&mut self) -> Result<u64, Unread> {
        Ok(self.take::<1>()?[0].into())
    }

    fn length4(&mut self) -> Result<u64, Unread> {
        Ok(u32::from_le_bytes(self.take()?).into())
    }

    fn length8(&mut self) -> Result<u64, Unread> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn line(&mut self) -> Result<Rc<str>, Unread> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| *byte == b'\n').ok_or(self.wrong("it ends here"))?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(&rest[..length]).into())
    }

    fn push(&mut self, value: Value) -> Result<(), Unread> {
        if self.stack.len() >= MOST_VALUES {
            return Err(self.wrong("too many values"));
        }
        self.stack.push(value);
        Ok(())
    }

    fn pop(&mut self) -> Result<Value, Unread> {
        // What lies below a mark is not a list's to take.
        let floor = self.marks.last().copied().unwrap_or(0);
        if self.stack.len() <= floor {
            return Err(self.wrong("no value"));
        }
        self.stack.pop().ok_or(self.wrong("no value"))
    }

    fn top(&self) -> Result<&Value, Unread> {
        self.stack.last().ok_or(self.wrong("no value"))
    }

    fn above_mark(&mut self) -> Result<Vec<Value>, Unread> {
        let mark = self.marks.pop().ok_or(self.wrong("no mark"))?;
        Ok(self.stack.split_off(mark.min(self.stack.len())))
    }

    fn node(&mut self, node: Node) -> Result<Value, Unread> {
        if self.nodes.len() >= MOST_VALUES {
            return Err(self.wrong("too many values"));
        }
        self.nodes.push(node);
        Ok(Value::Node(self.nodes.len() - 1))
    }

    fn make(&mut self, node: Node) -> Result<(), Unread> {
        let value = self.node(node)?;
        self.push(value)
    }

    fn call(&mut self, what: Value, arguments: Value) -> Result<(), Unread> {
        self.make(Node::Call { what, arguments, state: Value::None, items: Vec::new() })
    }

    fn part(&self, value: &Value) -> Option<&Node> {
        match value {
            Value::Node(index) => self.nodes.get(*index),
            _ => None,
        }
    }

    fn append(&mut self, more: Vec<Value>) -> Result<(), Unread> {
        if let Value::Node(index) = self.top()?.clone()
            && let Some(Node::List(items)) = self.nodes.get_mut(index)
        {
            items.extend(more);
        }
        Ok(())
    }

    fn set(&mut self, more: Vec<(Value, Value)>) -> Result<(), Unread> {
        if let Value::Node(index) = self.top()?.clone()
            && let Some(Node::Dict(items) | Node::Call { items, .. }) = self.nodes.get_mut(index)
        {
            items.extend(more);
        }
        Ok(())
    }

    fn int(&mut self, number: impl FnOnce(&mut Self) -> Result<i64, Unread>) -> Result<(), Unread> {
        let number = number(self)?;
        self.push(Value::Int(number))
    }

    fn long(&mut self, length: impl FnOnce(&mut Self) -> Result<u64, Unread>) -> Result<(), Unread> {
        let length = length(self)?;
        let bytes = self.slice(length)?;
        let value = if bytes.len() > 8 {
            Value::None
        } else {
            let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
            let mut whole = [if negative { 0xff } else { 0 }; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            Value::Int(i64::from_le_bytes(whole))
        };
        self.push(value)
    }

    fn text(&mut self, length: impl FnOnce(&mut Self) -> Result<u64, Unread>) -> Result<(), Unread> {
        let length = length(self)?;
        let text = String::from_utf8_lossy(self.slice(length)?).into();
        self.push(Value::Text(text))
    }

    fn data(&mut self, length: impl FnOnce(&mut Self) -> Result<u64, Unread>) -> Result<(), Unread> {
        let length = length(self)?;
        self.slice(length)?;
        self.push(Value::None)
    }

    fn remember(&mut self, at: impl FnOnce(&mut Self) -> Result<u64, Unread>) -> Result<(), Unread> {
        let at = at(self)?;
        self.memo.insert(at, self.top()?.clone());
        Ok(())
    }

    fn recall(&mut self, at: impl FnOnce(&mut Self) -> Result<u64, Unread>) -> Result<(), Unread> {
        let at = at(self)?;
        let value = self.memo.get(&at).cloned().ok_or(self.wrong("nothing was remembered"))?;
        self.push(value)
    }
}

fn pairs(items: Vec<Value>) -> Vec<(Value, Value)> {
    let mut items = items.into_iter();
    std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect()
}
