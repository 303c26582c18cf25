//! Sentences: complete in every language, with the same placeholders, none missing and none left over.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use preflight_core::text::Language;
use regex::Regex;

/// What a sentence is made of, apart from its words: by attribute (the sentence itself is ""), the variables and the
/// functions they go through.
type Shape = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every sentence of a language, with the file it is in.
fn sentences(language: Language) -> BTreeMap<String, (String, Shape)> {
    let mut sentences = BTreeMap::new();
    for file in std::fs::read_dir(root().join("locales").join(language.tag())).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let resource = fluent_syntax::parser::parse(text.as_str())
            .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        for entry in &resource.body {
            let message = match entry {
                Entry::Message(message) => message,
                Entry::Term(term) => panic!("{name}: -{} is a term: sentences are whole", term.id.name),
                Entry::Junk { content } => panic!("{name}: {content}"),
                _ => continue,
            };
            let mut shape = Shape::new();
            shape.extend(message.value.as_ref().map(|pattern| (String::new(), variables(pattern))));
            let attributes = message.attributes.iter();
            shape.extend(attributes.map(|attribute| (attribute.id.name.to_owned(), variables(&attribute.value))));
            let id = message.id.name.to_owned();
            if let Some((other, _)) = sentences.insert(id.clone(), (name.clone(), shape)) {
                panic!("{id} is in {other} and in {name} of {}", language.tag());
            }
        }
    }
    sentences
}

fn variables(pattern: &Pattern<&str>) -> BTreeSet<String> {
    fn inline(expression: &InlineExpression<&str>, through: &str, found: &mut BTreeSet<String>) {
        match expression {
            InlineExpression::VariableReference { id } => {
                found.insert(format!("{through}${}", id.name));
            }
            InlineExpression::FunctionReference { id, arguments } => {
                for argument in &arguments.positional {
                    inline(argument, &format!("{} ", id.name), found);
                }
            }
            InlineExpression::Placeable { expression } => walk(expression, found),
            InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
            other => panic!("a sentence refers to another one: {other:?}"),
        }
    }
    fn walk(expression: &Expression<&str>, found: &mut BTreeSet<String>) {
        match expression {
            Expression::Inline(expression) => inline(expression, "", found),
            Expression::Select { selector, variants } => {
                inline(selector, "", found);
                for variant in variants {
                    found.extend(variables(&variant.value));
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            walk(expression, &mut found);
        }
    }
    found
}

#[test]
fn every_language_has_the_same_sentences_with_the_same_placeholders() {
    let english = sentences(Language::En);
    for language in Language::ALL {
        let other = sentences(language);
        let ids = |sentences: &BTreeMap<String, (String, Shape)>| sentences.keys().cloned().collect::<BTreeSet<_>>();
        let missing: Vec<String> = ids(&english).symmetric_difference(&ids(&other)).cloned().collect();
        assert!(missing.is_empty(), "only in one of en and {}: {missing:?}", language.tag());
        for (id, (file, shape)) in &english {
            assert_eq!(shape, &other[id].1, "{id} in {}", language.tag());
            assert_eq!(file, &other[id].0, "{id} is in different files");
        }
    }
}

/// A source file, without its tests.
struct Source {
    path: PathBuf,
    code: String,
}

fn sources() -> Vec<Source> {
    fn collect(folder: &Path, found: &mut Vec<Source>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["node_modules", "dist", "tests"].contains(&name.as_str()) {
                    collect(&path, found);
                }
            } else if [".rs", ".ts", ".svelte", ".toml"].iter().any(|ending| name.ends_with(ending))
                && !name.contains(".test.")
                && name != "tests.rs"
            {
                let text = std::fs::read_to_string(&path).unwrap();
                // Comments name examples of ids.
                let lines = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap().lines();
                let code: Vec<&str> = lines.filter(|line| !line.trim_start().starts_with("//")).collect();
                found.push(Source { path: path.strip_prefix(root()).unwrap().to_owned(), code: code.join("\n") });
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["crates", "src-tauri", "ui/src"] {
        if root().join(folder).is_dir() {
            collect(&root().join(folder), &mut found);
        }
    }
    found
}

/// How code names a sentence, and which id it then means.
type Rule = (&'static str, fn(&str) -> String);

/// Ids that the code names in full, with where.
fn named(sources: &[Source]) -> BTreeMap<String, PathBuf> {
    let rules: [Rule; 6] = [
        (r#"(?:Message::new|Evidence::value|Fact::unknown|Fact::<[^>]*>::unknown)\(\s*"([^"{]+)""#, str::to_owned),
        (r#"words\.(?:get|find)\(\s*"([^"{]+)""#, str::to_owned),
        (r#"Problem::new\(\s*"([^"{]+)""#, |code| format!("problem-{}", code.replace('.', "-"))),
        (r#"(?:Remedy::new|\bchange|\bexplain)\(\s*"([^"{]+)""#, |id| format!("remedy-{id}")),
        (r"\bt\(\s*'([^']+)'", str::to_owned),
        (r"\bt\(\s*`([^`$]+)`", str::to_owned),
    ];
    let mut found = BTreeMap::new();
    for (pattern, id) in rules {
        let pattern = Regex::new(pattern).unwrap();
        for source in sources {
            for captures in pattern.captures_iter(&source.code) {
                found.insert(id(&captures[1]), source.path.clone());
            }
        }
    }
    // Findings: the stage is named in the call, or by the file's constant.
    let constant = Regex::new(r"const STAGE: Stage = Stage::(\w+);").unwrap();
    let finding = Regex::new(
        r#"Finding::(?:ok|note|warning|blocker|predicted|unknown)\(\s*(?:STAGE|Stage::(\w+)),\s*"([^"{]+)""#,
    )
    .unwrap();
    for source in sources {
        let stage_of_file = constant.captures(&source.code).map(|captures| captures[1].to_owned());
        for captures in finding.captures_iter(&source.code) {
            let stage = captures.get(1).map(|stage| stage.as_str().to_owned()).or_else(|| stage_of_file.clone());
            let stage = stage.unwrap_or_else(|| panic!("{}: no stage", source.path.display()));
            found.insert(format!("finding-{}-{}", dashed(&stage), &captures[2]), source.path.clone());
        }
    }
    found
}

/// `GpuPool` as `gpu-pool`.
fn dashed(camel: &str) -> String {
    let mut dashed = String::new();
    for character in camel.chars() {
        if character.is_ascii_uppercase() && !dashed.is_empty() {
            dashed.push('-');
        }
        dashed.push(character.to_ascii_lowercase());
    }
    dashed
}

#[test]
fn every_sentence_the_code_names_exists() {
    let sentences = sentences(Language::En);
    let missing: Vec<String> = named(&sources())
        .into_iter()
        .filter(|(id, _)| {
            let (id, attribute) = id.split_once('.').unwrap_or((id, ""));
            sentences.get(id).is_none_or(|(_, shape)| !shape.contains_key(attribute))
        })
        .map(|(id, path)| format!("{id} ({})", path.display()))
        .collect();
    assert!(missing.is_empty(), "no sentence for:\n{}", missing.join("\n"));
}

#[test]
fn every_sentence_is_used() {
    let sources = sources();
    let literals: BTreeSet<String> = {
        let quoted = Regex::new(r#"["'`]([a-z0-9][a-zA-Z0-9_.-]*)["'`]"#).unwrap();
        let found = sources.iter().flat_map(|source| quoted.captures_iter(&source.code));
        // A code's dots and underscores are dashes in an id, and ids have no capitals.
        found.map(|captures| captures[1].replace(['.', '_'], "-").to_ascii_lowercase()).collect()
    };
    // Ids that are put together, with a group for each part that varies.
    let built: Vec<Regex> = {
        let built = Regex::new(r#"["`]([a-z0-9][a-z0-9-]*-\$?\{[^`"]*)["`]"#).unwrap();
        let part = Regex::new(r"\$?\{[^}]*\}").unwrap();
        let templates = sources.iter().flat_map(|source| built.captures_iter(&source.code));
        let patterns: BTreeSet<String> = templates
            .map(|template| {
                let id = part.replace_all(&template[1], "(.+)");
                // What follows is an attribute.
                let id = id.strip_suffix(".help").or_else(|| id.strip_suffix(".detail")).unwrap_or(&id);
                format!("^{id}$")
            })
            .collect();
        patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    };
    let unused: Vec<String> = sentences(Language::En)
        .into_iter()
        .filter(|(id, (_, shape))| {
            let whole =
                literals.contains(id) || shape.keys().any(|attribute| literals.contains(&format!("{id}-{attribute}")));
            let built = || {
                built
                    .iter()
                    .filter_map(|pattern| pattern.captures(id))
                    .any(|parts| parts.iter().skip(1).flatten().all(|part| is_said(part.as_str(), &literals)))
            };
            !whole && !built()
        })
        .map(|(id, (file, _))| format!("{id} ({file})"))
        .collect();
    assert!(unused.is_empty(), "nothing says:\n{}", unused.join("\n"));
}

/// Whether the code has a part of an id that it builds: in full, or as the second half of a code, behind its area.
fn is_said(part: &str, literals: &BTreeSet<String>) -> bool {
    literals.contains(part)
        || part.match_indices('-').any(|(cut, _)| literals.contains(&part[cut + 1..]) && is_area(&part[..cut]))
}

/// Whether codes begin with this: a stage, or what a problem is about.
fn is_area(name: &str) -> bool {
    !name.contains('-')
        || preflight_core::finding::Stage::ALL.iter().any(|stage| stage.name().replace('_', "-") == name)
}
