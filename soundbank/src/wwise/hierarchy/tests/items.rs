//! Items after the specification's tables.

/// Bytes of an item.
#[derive(Default)]
pub(super) struct Item {
    pub(super) bytes: Vec<u8>,
}

impl Item {
    pub(super) fn u8(&mut self, values: &[u8]) -> &mut Self {
        self.bytes.extend(values);
        self
    }

    pub(super) fn u16(&mut self, values: &[u16]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    pub(super) fn u32(&mut self, values: &[u32]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    pub(super) fn f32(&mut self, values: &[f32]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    pub(super) fn f64(&mut self, values: &[f64]) -> &mut Self {
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
        self
    }

    pub(super) fn zeros(&mut self, count: usize) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, 0xEE);
        self
    }

    /// A Vorbis source in memory.
    pub(super) fn source(&mut self, v: u32, media: u32) -> &mut Self {
        self.u32(&[0x0004_0001]);
        if v <= 89 {
            self.u32(&[0])
        } else {
            self.u8(&[0])
        };
        self.u32(&[media]);
        match v {
            ..=112 => self.u32(&[7, 8, 9]),
            113..=150 => self.u32(&[9]),
            _ => self.u32(&[7, 9]),
        };
        self.u8(&[0])
    }

    /// A base with one of everything; the volume is 3 dB, the pitch 100 cents.
    pub(super) fn base(&mut self, v: u32, parent: u32) -> &mut Self {
        self.u8(&[0, 1, 0]).zeros(if v <= 145 { 7 } else { 6 });
        if v >= 137 {
            self.u8(&[0, 1]).zeros(6);
        }
        if (112..=145).contains(&v) {
            self.u8(&[0]);
        }
        self.u32(&[99, parent]);
        self.zeros(match v {
            ..=56 => 4,
            57..=89 => 2,
            _ => 1,
        });
        if v <= 56 {
            self.f32(&[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            if v <= 38 {
                self.u32(&[100, 0, 0, 0, 0, 0]);
            } else {
                self.f32(&[100.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            }
        } else {
            self.u8(&[2, 0, if v >= 150 { 1 } else { 2 }]).f32(&[3.0, 100.0]).u8(&[1, 0]).f32(&[-1.0, 1.0]);
        }
        if v <= 52 {
            self.u32(&[5]);
        }
        self.position(v);
        match v {
            ..=65 => self.zeros(0),
            66..=89 => self.zeros(3).u8(&[1]).zeros(16),
            _ => self.u8(&[8]).zeros(16),
        };
        if v >= 135 {
            self.u32(&[0]);
        }
        self.zeros(match v {
            ..=53 => 7,
            54..=72 => 9,
            73..=89 => 13,
            _ => 6,
        });
        match v {
            ..=52 => self.u8(&[0]).u16(&[1]).zeros(9),
            53..=122 => self.u32(&[1, 5]).u8(&[0]).u16(&[1]).zeros(8),
            _ => {
                self.u8(&[1, 0x81, 0x01, 0]);
                if v >= 128 {
                    self.u8(&[0]);
                }
                self.u8(&[1]).u32(&[5]);
                if v >= 155 {
                    self.u32(&[0]);
                }
                self.u8(&[0, 1]).u32(&[6]);
                if v <= 145 { self.u32(&[7]) } else { self.u16(&[1]).zeros(6) }
            }
        };
        self.rtpc(v);
        if v <= 126 {
            self.u32(&[1]).zeros(if v <= 56 { 24 } else { 0 });
        }
        self
    }

    /// A position in 3D along a path.
    pub(super) fn position(&mut self, v: u32) {
        match v {
            ..=56 => self.u8(&[1]).zeros(12).u8(&[1]),
            57..=72 => self.u8(&[1, 1]),
            73..=89 => self.u8(&[1, 1, 1, 0]),
            90..=122 => self.u8(&[0b1001]),
            123..=129 => self.u8(&[0b1_0001]),
            _ => self.u8(&[0b10_0011]),
        };
        match v {
            ..=89 => self.u32(&[2, 0]).u8(&[0]),
            90..=129 => self.u8(&[0]).u32(&[44]),
            _ => self.u8(&[0]),
        };
        match v {
            ..=89 => self.u32(&[0]).u8(&[0]).u32(&[0]).zeros(usize::from(v >= 37)),
            _ => self.u8(&[0]).u32(&[0]),
        };
        self.u32(&[1]).zeros(16).u32(&[1]).zeros(8);
        self.zeros(if v <= 89 { 8 } else { 12 });
    }

    pub(super) fn rtpc(&mut self, v: u32) -> &mut Self {
        self.u16(&[1]).u32(&[77]);
        match v {
            ..=89 => self.u32(&[1]),
            90..=113 => self.u8(&[0, 0, 1]),
            _ => self.u8(&[0, 0, 0x81, 1]),
        };
        self.u32(&[3]).u8(&[0]).u16(&[1]).zeros(12)
    }

    pub(super) fn sound(v: u32) -> Self {
        let mut item = Self::default();
        item.source(v, 1000).base(v, 50);
        if v <= 56 {
            item.u16(&[1, 0, 0]);
        }
        item
    }

    pub(super) fn playlist(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50).u16(&[3]);
        if v > 72 {
            item.u16(&[0, 0]);
        }
        item.f32(&[0.0, 0.0, 0.0]).u16(&[2]).u8(&[0, 1, 0]);
        if v <= 89 {
            item.u8(&[1, 0, 0, 1, 0])
        } else {
            item.u8(&[1 | 8])
        };
        item.u32(&[2, 10, 11]).u16(&[2]);
        for (child, weight) in [(10, 50_000), (11, 25_000)] {
            item.u32(&[child]);
            if v <= 56 {
                item.u8(&[u8::try_from(weight / 25_000).unwrap()])
            } else {
                item.u32(&[weight])
            };
        }
        item
    }

    pub(super) fn switch(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50);
        if v <= 89 {
            item.u32(&[1])
        } else {
            item.u8(&[1])
        };
        item.u32(&[500, 501]).u8(&[0]).u32(&[2, 10, 11]).u32(&[2, 501, 1, 10, 502, 2, 10, 11]).u32(&[1, 10]);
        item.zeros(match v {
            ..=89 => 6,
            90..=151 => 2,
            _ => 1,
        });
        item.u32(&[0, 0]);
        item
    }

    pub(super) fn blend(v: u32) -> Self {
        let mut item = Self::default();
        item.base(v, 50).u32(&[1, 10]).u32(&[1, 600]).rtpc(v).u32(&[77]);
        if v > 89 {
            item.u8(&[0]);
        }
        item.u32(&[1, 10, 2]).f32(&[0.0, 0.0]).u32(&[4]).f32(&[1.0, 1.0]).u32(&[4]);
        if v > 118 {
            item.u8(&[0]);
        }
        item
    }

    pub(super) fn event(v: u32) -> Self {
        let mut item = Self::default();
        if v >= 155 {
            item.u8(&[0]).u16(&[0]).f32(&[0.0]);
        }
        if v <= 122 {
            item.u32(&[2])
        } else {
            item.u8(&[2])
        };
        item.u32(&[20, 21]);
        item
    }

    pub(super) fn action(v: u32, kind: u16) -> Self {
        let mut item = Self::default();
        if v <= 56 {
            item.u32(&[u32::from(kind)])
        } else {
            item.u16(&[kind])
        };
        item.u32(&[10]);
        if v > 65 {
            item.u8(&[0]);
        }
        if v <= 56 {
            item.u32(&[500, 0, 0, 3]).zeros(3);
            return item;
        }
        let delay = match v {
            ..=117 => 0xE,
            118..=149 => 0xF,
            150..=151 => 0x39,
            _ => 0x3A,
        };
        item.u8(&[2, delay, delay + 2]).u32(&[500]).f32(&[25.0]).u8(&[0]);
        let exceptions = |item: &mut Self| {
            if v <= 122 {
                item.u32(&[1])
            } else {
                item.u8(&[1])
            };
            item.zeros(if v <= 65 { 4 } else { 5 });
        };
        match kind {
            0x0403 => {
                item.u8(&[0]).u32(&[9]);
                if v >= 144 {
                    item.u32(&[0]);
                }
            }
            0x0103 => {
                item.u8(&[0]);
                if v > 122 {
                    item.u8(&[0]);
                }
                exceptions(&mut item);
            }
            0x1303 => {
                item.u8(&[0]);
                if v > 89 {
                    item.u8(&[0]);
                }
                item.zeros(13);
                exceptions(&mut item);
            }
            0x1901 => {
                item.u32(&[500, 502]);
            }
            0x1E03 => {
                item.zeros(14);
                exceptions(&mut item);
            }
            _ => {}
        }
        item
    }

    pub(super) fn music(&mut self, v: u32, children: &[u32]) -> &mut Self {
        if v > 89 {
            self.u8(&[0]);
        }
        self.base(v, 50).u32(&[u32::try_from(children.len()).unwrap()]).u32(children);
        self.f64(&[0.0, 0.0]).f32(&[120.0]).u8(&[4, 4, 0]);
        self.u32(&[1]).zeros(if v <= 62 { 20 } else { 24 })
    }

    pub(super) fn segment(v: u32) -> Self {
        let mut item = Self::default();
        item.music(v, &[10]).f64(&[1000.0]).u32(&[1, 5]).f64(&[0.0]);
        match v {
            ..=62 => {}
            63..=136 => {
                item.u32(&[2]).u8(b"ab");
            }
            _ => {
                item.u8(b"ab\0");
            }
        }
        item
    }

    pub(super) fn track(v: u32) -> Self {
        let mut item = Self::default();
        if (112..=152).contains(&v) {
            item.u8(&[0]);
        }
        item.u32(&[1]).source(v, 1000);
        if v > 152 {
            item.u8(&[0]);
        }
        item.u32(&[1, 0, 1000]);
        if v >= 151 {
            item.u32(&[0]);
        }
        if v >= 133 {
            item.u32(&[0]);
        }
        item.f64(&[250.0, 1.0, 2.0, 1000.0]).u32(&[1]);
        if v > 62 {
            item.u32(&[1, 0, 0, 1]).zeros(12);
        }
        item.base(v, 50);
        if v <= 56 {
            item.zeros(6);
        }
        if v <= 89 {
            item.u32(&[3])
        } else {
            item.u8(&[3])
        };
        item.u8(&[1]).u32(&[500, 501, 2, 501, 502]).zeros(32).u32(&[0]);
        item
    }

    pub(super) fn transitions(&mut self, v: u32) -> &mut Self {
        self.music(v, &[10]).u32(&[1]);
        if v <= 72 {
            self.u32(&[1, 2])
        } else {
            self.u32(&[1, 1, 1, 2])
        };
        self.zeros(if v <= 62 { 17 } else { 21 });
        self.zeros(16).u32(&[0]);
        if v >= 133 {
            self.u16(&[0]);
        }
        self.u16(&[0]).u8(&[0]);
        if v > 62 {
            self.u8(&[0]);
        }
        self.u8(&[1]).zeros(30)
    }

    pub(super) fn music_switch(v: u32) -> Self {
        let mut item = Self::default();
        item.transitions(v);
        if v <= 72 {
            item.u32(&[1, 500, 501]).u8(&[0]).u32(&[1, 501, 10]);
        } else {
            item.u8(&[0]);
            item.tree(v);
        }
        item
    }

    /// Group 500 decides between nodes 10 and 11.
    pub(super) fn tree(&mut self, v: u32) {
        self.u32(&[1, 500]);
        if v > 72 {
            self.u8(&[1]);
        }
        self.u32(&[36]).zeros(if (46..=72).contains(&v) { 2 } else { 1 });
        self.u32(&[0, 1 | 2 << 16]).u16(&[50, 100]);
        self.u32(&[0, 10]).u16(&[50, 100]).u32(&[502, 11]).u16(&[50, 100]);
    }

    pub(super) fn music_playlist(v: u32) -> Self {
        let mut item = Self::default();
        item.transitions(v).u32(&[2]);
        for (segment, children) in [(0, 1), (10, 0)] {
            item.u32(&[segment, 5, children, 0]).u16(&[1]);
            if v > 89 {
                item.u16(&[0, 0]);
            }
            if v <= 56 {
                item.u16(&[1])
            } else {
                item.u32(&[50_000])
            };
            item.u16(&[0]).u8(&[0, 0]);
        }
        item
    }

    pub(super) fn dialogue(v: u32) -> Self {
        let mut item = Self::default();
        if v > 72 {
            item.u8(&[50]);
        }
        item.tree(v);
        if v > 118 {
            item.u8(&[0, 0]);
        }
        item
    }
}
