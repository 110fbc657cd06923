//! The list of devices: what its keys do, and that all others go on playing.

use player::live::DeviceEntry;

use super::*;
use crate::model::DeviceMenu;

fn entries(plays: usize) -> Vec<DeviceEntry> {
    let entry = |(index, name): (usize, &str)| DeviceEntry {
        name: name.to_owned(),
        about: String::new(),
        plays: index == plays,
    };
    ["system default", "card", "null"].into_iter().enumerate().map(entry).collect()
}

fn hit(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

/// With the list filled, and the second device playing.
fn open() -> Model {
    let mut model = model();
    assert_eq!(hit(&mut model, Press::Command(KeyCommand::Devices)), [Intent::FindDevices]);
    assert_eq!(model.devices, Some(DeviceMenu::default()));
    assert_eq!(update(&mut model, Msg::Live(LiveEvent::Devices(entries(1))), ms(0)), []);
    model
}

#[test]
fn the_list_begins_at_what_plays_and_enter_takes_what_is_chosen() {
    for (keys, chosen) in [
        (&[][..], 1),
        (&[Press::Down(1)], 2),
        (&[Press::Down(10)], 2),
        (&[Press::End, Press::Up(1), Press::Up(1)], 0),
        (&[Press::End, Press::Home], 0),
    ] {
        let mut model = open();
        for key in keys {
            assert_eq!(hit(&mut model, *key), []);
        }
        assert_eq!(hit(&mut model, Press::Enter), [Intent::UseDevice(chosen)]);
        assert_eq!((model.devices, model.chosen), (None, 0), "no sound was chosen meanwhile");
    }
}

#[test]
fn escape_and_f8_close_the_list_and_nothing_else() {
    for key in [Press::Escape, Press::Command(KeyCommand::Devices)] {
        let mut model = open();
        assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)], "notes go on while it is open");
        assert_eq!(hit(&mut model, key), []);
        assert_eq!((model.devices.as_ref(), model.notes.len()), (None, 1));
        assert_eq!(hit(&mut model, Press::Escape), [Intent::Silence]);
    }
}

#[test]
fn enter_before_the_devices_were_found_takes_none() {
    let mut model = model();
    hit(&mut model, Press::Command(KeyCommand::Devices));
    assert_eq!(hit(&mut model, Press::Down(1)), []);
    assert_eq!(hit(&mut model, Press::Enter), []);
    assert_eq!(model.devices, None);
    update(&mut model, Msg::Live(LiveEvent::Devices(entries(0))), ms(0));
    assert_eq!(model.devices, None, "what comes too late opens nothing");
}

#[test]
fn what_plays_is_named_with_its_rate() {
    let mut model = model();
    let rate = Hz::new(96_000).unwrap();
    update(&mut model, Msg::Live(LiveEvent::Playing { device: "card".to_owned(), rate }), ms(0));
    assert_eq!((&*model.device, model.rate), ("card", rate));
}
