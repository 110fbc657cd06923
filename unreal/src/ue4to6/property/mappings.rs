//! Mappings (`.usmap`): which properties each class of a game has, in which order. Without them, properties without
//! tags cannot be read.
//!
//! ```text
//! magic │ version │ versions of the engine │ method │ stored │ size │ names │ enumerations │ structs │ extensions
//! ```
//!
//! Source: *packages-ue4-ue6*, §9: versions 0, 3 and 4 measured.

pub(crate) mod version;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::base::compress::Method;
use crate::base::error::{Error, ErrorKind, Malformed, NotPackage};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::property::PropertyType;
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use version::MappingsLayout;

const WHAT: &str = "mappings";

/// Classes that inherit from one another; more are a circle.
const MAX_PARENTS: usize = 64;

/// Elements of a static array that a class declares; more are not plausible.
const MAX_ELEMENTS: u32 = 1 << 16;

/// The mappings of a game. A clone shares what was read.
#[derive(Clone, Debug, Default)]
pub struct Mappings {
    read: Arc<MappingTables>,
    /// Classes and enumerations that were added; these are found first.
    added: MappingTables,
}

/// Classes and enumerations, by their names in lower case, as names of the engine have none.
#[derive(Clone, Debug, Default)]
struct MappingTables {
    structs: HashMap<String, Schema>,
    enums: HashMap<String, Vec<(u64, String)>>,
}

/// The properties of a class or struct.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    /// The one it inherits from.
    parent: Option<String>,
    /// How many numbers its own properties take.
    count: u32,
    /// By their numbers: an array has one for each element.
    properties: HashMap<u32, SchemaProperty>,
}

/// A property of a class or struct.
#[derive(Clone, Debug)]
pub(super) struct SchemaProperty {
    pub(super) name: String,
    /// Which element it is.
    pub(super) element: u32,
    pub(super) kind: PropertyType,
}

/// Why mappings cannot be read.
#[derive(Debug)]
pub struct MappingsError(Error);

impl MappingsError {
    /// Returns whether the file holds no mappings at all, rather than damaged ones.
    fn is_other_format(&self) -> bool {
        matches!(self.0.kind(), ErrorKind::NotThisFormat(_))
    }
}

impl fmt::Display for MappingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_other_format() { f.write_str("not a .usmap file") } else { self.0.fmt(f) }
    }
}

impl std::error::Error for MappingsError {}

impl Mappings {
    /// Reads mappings.
    ///
    /// # Errors
    /// If they end early or contradict themselves, are of an unknown version or method, or take more than the limits
    /// or [`Limits::expanded`] allow.
    pub fn read(source: &dyn Source, limits: &mut Limits) -> Result<Self, MappingsError> {
        let most = Limits::expanded(source.len(), Limits::EXPANSION);
        limits.within(most, |limits| Self::open(source, limits)).map_err(MappingsError)
    }

    fn open(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        const MAGIC: u16 = 0x30C4;
        let mut reader = Reader::new(source, WHAT, 0, source.len());
        let reader = &mut reader;
        if source.len() < 2 || reader.u16()? != MAGIC {
            return Err(Error::new(ErrorKind::NotThisFormat(NotPackage::Unknown), 0, WHAT));
        }
        let layout =
            MappingsLayout::of(reader.u8()?).ok_or_else(|| reader.error(2, Malformed::NoFormFits))?;
        if layout.engine && reader.u32()? != 0 {
            reader.skip(8)?;
            let parts = reader.count(20)?;
            reader.skip((parts as u64).saturating_mul(20).saturating_add(4))?;
        }
        let (at, method) = (reader.at(), reader.u8()?);
        let method = match method {
            0 => None,
            1 => Some(Method::Oodle),
            2 => Some(Method::Brotli),
            3 => Some(Method::Zstd),
            other => return Err(reader.error(at, Malformed::Method(other.into()))),
        };
        let (stored, size) = (reader.u32()?, reader.u32()?);
        let count = reader.fitting(stored, 1, at)?;
        limits.take(u64::from(stored).saturating_add(size.into()), at, WHAT)?;
        let stored_at = reader.at();
        let stored = reader.bytes(count)?;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let body = match method {
            None => stored.to_vec(),
            Some(method) => {
                method.decompress(stored, size).map_err(|fault| reader.error(stored_at, fault))?
            }
        };
        let body = Memory(body);
        Self::body(&mut Reader::new(&body, WHAT, 0, body.len()), layout, limits)
    }

    fn body(reader: &mut Reader<'_>, layout: MappingsLayout, limits: &mut Limits) -> Result<Self, Error> {
        let at = reader.at();
        let count = reader.count(1)?;
        limits.take_table::<String>(count, at, WHAT)?;
        let mut names = Vec::with_capacity(count);
        for _ in 0..count {
            let length = if layout.long_names { reader.u16()? } else { reader.u8()?.into() };
            if usize::from(length) > MAX_PATH {
                return Err(reader.error(reader.at(), Malformed::PathTooLong(MAX_PATH)));
            }
            limits.take(length.into(), reader.at(), WHAT)?;
            names.push(String::from_utf8_lossy(reader.bytes(length.into())?).into_owned());
        }
        let mut body = Body { names: &names, reader, limits };
        let mut tables = MappingTables::default();
        for _ in 0..body.reader.count(5)? {
            let (name, values) = body.values(layout)?;
            tables.enums.insert(name.to_lowercase(), values);
        }
        for _ in 0..body.reader.count(12)? {
            let (name, schema) = body.schema()?;
            tables.structs.insert(name.to_lowercase(), schema);
        }
        Ok(Self { read: Arc::new(tables), added: MappingTables::default() })
    }

    /// Adds a class or struct, whose properties are numbered in their order.
    pub(super) fn add(
        &mut self,
        name: &str,
        parent: Option<&str>,
        properties: impl Iterator<Item = (String, PropertyType)>,
    ) {
        let property = |(name, kind)| SchemaProperty { name, element: 0, kind };
        let properties: HashMap<u32, SchemaProperty> = (0..).zip(properties.map(property)).collect();
        let count = u32::try_from(properties.len()).unwrap_or(u32::MAX);
        let schema = Schema { parent: parent.map(str::to_owned), count, properties };
        self.added.structs.insert(name.to_lowercase(), schema);
    }

    /// Adds a class: its name, the one it inherits from, and its properties in their order, each with its name, the
    /// number of its elements, and its type.
    pub fn add_class(&mut self, name: &str, parent: Option<&str>, of: Vec<(String, u32, PropertyType)>) {
        let (mut properties, mut count) = (HashMap::new(), 0_u32);
        for (name, elements, kind) in of {
            for element in 0..elements.clamp(1, MAX_ELEMENTS) {
                properties.insert(count, SchemaProperty { name: name.clone(), element, kind: kind.clone() });
                count = count.saturating_add(1);
            }
        }
        let schema = Schema { parent: parent.map(str::to_owned), count, properties };
        self.added.structs.insert(name.to_lowercase(), schema);
    }

    /// Adds an enumeration, whose values are numbered in their order.
    pub(super) fn add_enum<const N: usize>(&mut self, name: &str, values: [&str; N]) {
        self.set_enum(name, (0..).zip(values.map(str::to_owned)).collect());
    }

    /// Adds an enumeration: its values, with their numbers.
    pub fn set_enum(&mut self, name: &str, values: Vec<(u64, String)>) {
        self.added.enums.insert(name.to_lowercase(), values);
    }

    /// Adds the enumerations of others that are not known, and the numbers of properties.
    pub fn add_from(&mut self, others: &Self) {
        for class in others.added.structs.keys().chain(others.read.structs.keys()) {
            if let Some(count) = others.count(class) {
                self.set_count(class, count);
            }
        }
        for (name, values) in others.added.enums.iter().chain(&others.read.enums) {
            self.added.enums.entry(name.clone()).or_insert_with(|| values.clone());
        }
    }

    /// Returns the values of an enumeration, with their numbers.
    #[must_use]
    pub fn values_of(&self, name: &str) -> Option<&[(u64, String)]> {
        let name = name.to_lowercase();
        self.added.enums.get(&name).or_else(|| self.read.enums.get(&name)).map(|values| &values[..])
    }

    /// Returns how many classes and structs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read.structs.len().saturating_add(self.added.structs.len())
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the property of a class with a number, which counts its own properties first, and then those of the
    /// class that it inherits from.
    pub(super) fn property(&self, class: &str, number: u32) -> Option<&SchemaProperty> {
        let (mut schema, mut number) = (self.schema(class)?, number);
        for _ in 0..MAX_PARENTS {
            if let Some(inherited) = number.checked_sub(schema.count) {
                number = inherited;
                schema = self.schema(schema.parent.as_ref()?)?;
            } else {
                return schema.properties.get(&number);
            }
        }
        None
    }

    /// Returns how many properties a class has, with those of the classes that it inherits from.
    #[must_use]
    pub fn count(&self, class: &str) -> Option<u32> {
        let (mut schema, mut count) = (self.schema(class)?, 0_u32);
        for _ in 0..MAX_PARENTS {
            count = count.checked_add(schema.count)?;
            match &schema.parent {
                Some(parent) => schema = self.schema(parent)?,
                None => return Some(count),
            }
        }
        None
    }

    /// Adds a class of which nothing is known but how many properties it has.
    pub fn set_count(&mut self, class: &str, count: u32) {
        let schema = Schema { parent: None, count, properties: HashMap::new() };
        self.added.structs.entry(class.to_lowercase()).or_insert(schema);
    }

    fn schema(&self, name: &str) -> Option<&Schema> {
        let name = name.to_lowercase();
        self.added.structs.get(&name).or_else(|| self.read.structs.get(&name))
    }

    /// Returns whether a class or struct is known.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.schema(name).is_some()
    }

    /// Returns the number of a property of a class, as [`Mappings::property`] counts them.
    pub(super) fn number(&self, class: &str, name: &str) -> Option<u32> {
        self.find(class, name, 0).map(|(number, _)| number)
    }

    /// Returns the number and the type of a property of a class, of an element of it if it is a static array.
    #[must_use]
    pub fn find(&self, class: &str, name: &str, element: u32) -> Option<(u32, PropertyType)> {
        let (mut schema, mut before) = (self.schema(class)?, 0_u32);
        for _ in 0..MAX_PARENTS {
            let is_it = |property: &SchemaProperty| {
                property.name.eq_ignore_ascii_case(name) && property.element == element
            };
            if let Some((number, property)) = schema.properties.iter().find(|(_, property)| is_it(property)) {
                return before.checked_add(*number).map(|number| (number, property.kind.clone()));
            }
            before = before.checked_add(schema.count)?;
            schema = self.schema(schema.parent.as_ref()?)?;
        }
        None
    }

    /// Returns the number of a value of an enumeration.
    pub(super) fn value_number(&self, name: &str, value: &str) -> Option<u64> {
        let values = self.values_of(name)?;
        let is_it = |known: &str| known.rsplit(':').next().is_some_and(|known| known == value);
        values.iter().find(|(_, known)| is_it(known)).map(|(number, _)| *number)
    }

    /// Returns the name of a value of an enumeration.
    #[must_use]
    pub fn value_name(&self, name: &str, number: u64) -> Option<&str> {
        let values = self.values_of(name)?;
        values.iter().find(|(known, _)| *known == number).map(|(_, name)| name.as_str())
    }
}

/// What is being read, after the names.
struct Body<'b, 's> {
    names: &'b [String],
    reader: &'b mut Reader<'s>,
    limits: &'b mut Limits,
}

impl Body<'_, '_> {
    /// Reads a reference to a name; none where there is none.
    fn name(&mut self) -> Result<Option<String>, Error> {
        let (at, number) = (self.reader.at(), self.reader.i32()?);
        let Ok(index) = usize::try_from(number) else { return Ok(None) };
        let name =
            self.names.get(index).ok_or_else(|| self.reader.error(at, Malformed::NoSuchName(number)))?;
        self.limits.take_growing(name.len().saturating_add(size_of::<String>()), at, WHAT)?;
        Ok(Some(name.clone()))
    }

    fn some_name(&mut self) -> Result<String, Error> {
        let at = self.reader.at();
        self.name()?.ok_or_else(|| self.reader.error(at, Malformed::NoSuchName(-1)))
    }

    /// Reads an enumeration: its name, and its values with their numbers.
    fn values(&mut self, layout: MappingsLayout) -> Result<(String, Vec<(u64, String)>), Error> {
        let name = self.some_name()?;
        let count = if layout.large_enums { self.reader.u16()? } else { self.reader.u8()?.into() };
        let mut values = Vec::new();
        for number in 0..u64::from(count) {
            let number = if layout.enum_numbers { self.reader.u64()? } else { number };
            values.push((number, self.some_name()?));
        }
        Ok((name, values))
    }

    /// Reads a class or struct.
    fn schema(&mut self) -> Result<(String, Schema), Error> {
        let (name, parent) = (self.some_name()?, self.name()?);
        let count = self.reader.u16()?.into();
        let mut properties = HashMap::new();
        for _ in 0..self.reader.u16()? {
            let (index, elements) = (self.reader.u16()?, self.reader.u8()?);
            let name = self.some_name()?;
            let kind = self.kind(0)?;
            for element in 0..u32::from(elements.max(1)) {
                let size = size_of::<(u32, SchemaProperty)>().saturating_add(name.len());
                self.limits.take_growing(size, self.reader.at(), WHAT)?;
                let property = SchemaProperty { name: name.clone(), element, kind: kind.clone() };
                properties.insert(u32::from(index).saturating_add(element), property);
            }
        }
        Ok((name, Schema { parent, count, properties }))
    }

    /// Reads a type with its parts.
    fn kind(&mut self, depth: u32) -> Result<PropertyType, Error> {
        /// Types within one another.
        const MAX_DEPTH: u32 = 16;
        let (at, number) = (self.reader.at(), self.reader.u8()?);
        if depth > MAX_DEPTH {
            return Err(self.reader.error(at, Malformed::PropertyType(number)));
        }
        let below = depth.saturating_add(1);
        Ok(match number {
            0 => PropertyType::UInt8,
            1 => PropertyType::Bool,
            2 => PropertyType::Int32,
            3 => PropertyType::Float,
            4 | 12 | 14 => PropertyType::Object,
            5 => PropertyType::Name,
            6 => PropertyType::Delegate,
            7 => PropertyType::Double,
            8 => PropertyType::Array(Box::new(self.kind(below)?)),
            9 => PropertyType::Struct(self.some_name()?),
            10 => PropertyType::Str,
            11 => PropertyType::Text,
            13 => PropertyType::MulticastDelegate,
            15 => PropertyType::LazyObject,
            16 | 17 => PropertyType::SoftObject,
            18 => PropertyType::UInt64,
            19 => PropertyType::UInt32,
            20 => PropertyType::UInt16,
            21 => PropertyType::Int64,
            22 => PropertyType::Int16,
            23 => PropertyType::Int8,
            24 => PropertyType::Map(Box::new((self.kind(below)?, self.kind(below)?))),
            25 => PropertyType::Set(Box::new(self.kind(below)?)),
            26 => {
                let number = Box::new(self.kind(below)?);
                PropertyType::Enum { name: self.some_name()?, number }
            }
            27 => PropertyType::FieldPath,
            28 => PropertyType::Optional(Box::new(self.kind(below)?)),
            29 | 30 => PropertyType::Utf8Str,
            // Dumpers write it for types that they do not know.
            0xFF => PropertyType::Other("unknown".to_owned()),
            other => return Err(self.reader.error(at, Malformed::PropertyType(other))),
        })
    }
}
