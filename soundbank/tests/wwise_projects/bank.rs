/// A bank of version 132.
#[derive(Default, Clone)]
pub(crate) struct Bank {
    pub(crate) media: Vec<(u32, Vec<u8>)>,
    pub(crate) items: Vec<(u8, u32, Vec<u8>)>,
    pub(crate) language: u32,
    pub(crate) is_big_endian: bool,
}

impl Bank {
    pub(crate) fn word(&self, value: u32) -> [u8; 4] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(crate) fn words(&self, values: &[u32]) -> Vec<u8> {
        values.iter().flat_map(|value| self.word(*value)).collect()
    }

    pub(crate) fn half(&self, value: u16) -> [u8; 2] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    /// A base that says nothing but its parent and its gain in dB.
    pub(crate) fn base(&self, parent: u32, gain: f32) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0];
        bytes.extend(self.words(&[0, parent]));
        bytes.extend([0, 1, 0]);
        bytes.extend(self.word(gain.to_bits()));
        // Ranges, position, sends, six of limits, states twice, curves.
        bytes.extend([0; 13]);
        bytes
    }

    pub(crate) fn item(mut self, kind: u8, id: u32, body: Vec<u8>) -> Self {
        self.items.push((kind, id, body));
        self
    }

    pub(crate) fn media(mut self, id: u32, bytes: &[u8]) -> Self {
        self.media.push((id, bytes.to_vec()));
        self
    }

    pub(crate) fn sound(self, id: u32, parent: u32, media: u32, stream: u8) -> Self {
        let mut body = self.words(&[0x0004_0001]);
        body.push(stream);
        body.extend(self.words(&[media, 100]));
        body.push(0);
        body.extend(self.base(parent, 1.0));
        self.item(2, id, body)
    }

    pub(crate) fn mixer(self, id: u32, parent: u32, children: &[u32]) -> Self {
        let mut body = self.base(parent, 2.0);
        body.extend(self.words(&[u32::try_from(children.len()).unwrap()]));
        body.extend(self.words(children));
        self.item(7, id, body)
    }

    pub(crate) fn random(self, id: u32, children: &[u32]) -> Self {
        let count = children.len();
        let mut body = self.base(0, 0.0);
        body.extend([1_u16, 0, 0].iter().flat_map(|value| self.half(*value)));
        body.extend([0; 12]);
        body.extend(self.half(1));
        body.extend([0, 1, 0, 1]);
        body.extend(self.words(&[u32::try_from(count).unwrap()]));
        body.extend(self.words(children));
        body.extend(self.half(u16::try_from(count).unwrap()));
        for child in children {
            body.extend(self.words(&[*child, 25_000]));
        }
        self.item(5, id, body)
    }

    pub(crate) fn switch(self, id: u32, group: u32, default: u32, branches: &[(u32, u32)]) -> Self {
        let mut body = self.base(0, 0.0);
        body.push(0);
        body.extend(self.words(&[group, default]));
        body.push(0);
        body.extend(self.words(&[0, u32::try_from(branches.len()).unwrap()]));
        for (value, child) in branches {
            body.extend(self.words(&[*value, 1, *child]));
        }
        body.extend(self.words(&[0]));
        self.item(6, id, body)
    }

    pub(crate) fn action(self, id: u32, kind: u16, target: u32) -> Self {
        let mut body = self.half(kind).to_vec();
        body.extend(self.words(&[target]));
        body.extend([0, 0, 0]);
        match kind {
            0x0403 => body.extend([0; 5]),
            0x1901 => body.extend(self.words(&[500, 502])),
            _ => {}
        }
        self.item(3, id, body)
    }

    /// An event with one action that plays a target; the action's id is the event's and 1.
    pub(crate) fn event(self, id: u32, target: u32) -> Self {
        self.action(id + 1, 0x0403, target).actions(id, &[id + 1])
    }

    pub(crate) fn actions(self, id: u32, actions: &[u32]) -> Self {
        let mut body = vec![u8::try_from(actions.len()).unwrap()];
        body.extend(self.words(actions));
        self.item(4, id, body)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"BKHD".to_vec();
        bytes.extend(self.words(&[24, 132, 1, self.language, 0, 0, 0]));
        let mut chunk = |tag: &[u8], data: Vec<u8>| {
            bytes.extend(tag);
            bytes.extend(self.word(u32::try_from(data.len()).unwrap()));
            bytes.extend(data);
        };
        if !self.media.is_empty() {
            let (mut list, mut data) = (Vec::new(), Vec::new());
            for (id, media) in &self.media {
                let at = u32::try_from(data.len()).unwrap();
                list.extend(self.words(&[*id, at, u32::try_from(media.len()).unwrap()]));
                data.extend(media);
                data.resize(data.len().next_multiple_of(16), 0);
            }
            chunk(b"DIDX", list);
            chunk(b"DATA", data);
        }
        let mut items = self.words(&[u32::try_from(self.items.len()).unwrap()]);
        for (kind, id, body) in &self.items {
            items.push(*kind);
            items.extend(self.words(&[u32::try_from(body.len()).unwrap() + 4, *id]));
            items.extend(body);
        }
        chunk(b"HIRC", items);
        bytes
    }
}
