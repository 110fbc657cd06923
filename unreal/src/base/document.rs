//! How bytes stand in documents: short ones as hexadecimal digits, others in base64.

/// An array of bytes as hexadecimal digits.
pub(crate) mod hex {
    use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&HEXLOWER.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        let digits = String::deserialize(deserializer)?;
        let bytes =
            HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.ok_or_else(|| D::Error::custom(format!("{N} bytes as hexadecimal digits are needed")))
    }
}

/// Any bytes in base64.
pub(crate) mod base64 {
    use data_encoding::BASE64;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text.as_bytes()).map_err(|error| D::Error::custom(format!("not base64: {error}")))
    }
}

/// A number of 64 bits as hexadecimal digits, which programs that have no such numbers can hold.
pub(crate) mod hex64 {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let digits = String::deserialize(deserializer)?;
        u64::from_str_radix(&digits, 16).map_err(|_| D::Error::custom("16 hexadecimal digits are needed"))
    }
}

/// Several such numbers.
pub(crate) mod hex64s {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize, Serialize)]
    struct Number(#[serde(with = "super::hex64")] u64);

    pub(crate) fn serialize<S: Serializer>(numbers: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(|number| Number(*number)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
        let numbers = Vec::<Number>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|Number(number)| number).collect())
    }
}
