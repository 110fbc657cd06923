use super::*;
use crate::{Cents, EnvelopePosition, NotePlayed, SampleIndex, Sends, Velocity, ZoneTree};

const PLAYED: NotePlayed = NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Returns the level of an envelope after some milliseconds, released after others.
fn level(envelope: &SegmentEnvelope, held: u64, then: u64) -> f32 {
    let mut position = EnvelopePosition::new(envelope, PLAYED);
    position.advance(envelope, PLAYED, held as f64 / 1000.0, true);
    if then > 0 {
        position.release(envelope, PLAYED);
        position.advance(envelope, PLAYED, then as f64 / 1000.0, false);
    }
    position.value(envelope, 0.0)
}

fn instrument(articulation: Option<usize>) -> Instrument {
    let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO);
    let zone = zone.with_articulation(articulation.map(ArticulationIndex::new));
    Instrument { tree: ZoneTree::from(zone), ..Instrument::default() }
}

/// Returns an instrument as it is shaped, and the articulation of its zone.
fn shaped(shape: Shape, own: Vec<Articulation>) -> (Instrument, Option<SamplerArticulation>) {
    let mut made = Vec::new();
    let place = (!own.is_empty()).then_some(0);
    let envelope = Envelope { attack: ms(10), release: ms(20) };
    let instrument = shape.instrument(&instrument(place), envelope, &own, (own.len(), &mut made));
    let articulations = [own, made].concat();
    let index = instrument.zones()[0].articulation();
    let articulation = index.map(|index| match &articulations[index.get()] {
        Articulation::Sampler(articulation) => articulation.clone(),
        Articulation::Tracker(_) => panic!("no tracker's"),
    });
    (instrument, articulation)
}

#[test]
fn each_curve_takes_the_stated_times_and_reaches_the_stated_levels() {
    let adsr = Adsr { attack: ms(100), decay: ms(200), sustain: 0.25, release: ms(400) };
    for (name, curve) in EnvelopeCurve::ALL {
        let envelope = adsr.segments(curve, true);
        let near =
            |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-3, "{name}: {found} {wanted}");
        near(level(&envelope, 0, 0), 0.0);
        near(level(&envelope, 100, 0), 1.0);
        near(level(&envelope, 300, 0), 0.25);
        near(level(&envelope, 9999, 0), 0.25);
        near(level(&envelope, 9999, 400), 0.0);
    }
    let middle = |curve| level(&adsr.segments(curve, true), 200, 0);
    assert!((middle(EnvelopeCurve::Exponential) - 0.5).abs() < 1e-3);
    assert!((middle(EnvelopeCurve::Linear) - 0.625).abs() < 1e-3);
    assert!((middle(EnvelopeCurve::Square) - 0.8125).abs() < 1e-3);
}

#[test]
fn a_shape_that_changes_nothing_leaves_an_instrument_as_it_is() {
    let (made, articulation) = shaped(Shape::default(), Vec::new());
    assert_eq!(articulation, None);
    assert_eq!(
        made,
        Instrument { envelope: Envelope { attack: ms(10), release: ms(20) }, ..instrument(None) }
    );
}

#[test]
fn attack_and_release_move_into_the_articulation_of_a_plain_sound() {
    let filter = FilterShape { kind: Some(FilterKind::HighPass2), cutoff: 500.0, ..FilterShape::default() };
    let (made, articulation) = shaped(Shape { filter, ..Shape::default() }, Vec::new());
    let articulation = articulation.unwrap();
    assert_eq!(made.envelope, Envelope::default());
    assert_eq!(level(&articulation.amplitude, 5, 0), 0.5);
    assert_eq!(level(&articulation.amplitude, 50, 10), 0.5);
    let filter = articulation.filter.unwrap();
    assert_eq!((filter.kind, filter.cutoff, filter.q), (FilterKind::HighPass2, 500.0, FilterShape::FLAT_Q));
}

#[test]
fn a_bank_keeps_its_amplitude_until_the_shape_has_one_and_loses_its_filter_to_another() {
    let own = SamplerArticulation {
        filter: Some(FilterParams {
            kind: FilterKind::LowPass4,
            cutoff: 99.0,
            q: 1.0,
            by_key: 0.0,
            key_centre: Key::C4,
            by_velocity: 0.0,
        }),
        ..SamplerArticulation::plain(
            Adsr { release: ms(777), ..Adsr::default() }.segments(EnvelopeCurve::Linear, true),
        )
    };
    let of = |shape| shaped(shape, vec![own.clone().into()]);
    let (made, articulation) = of(Shape { choke: 3, ..Shape::default() });
    let articulation = articulation.unwrap();
    assert_eq!((&articulation.amplitude, articulation.filter), (&own.amplitude, own.filter));
    assert_eq!(made.envelope, Envelope { attack: ms(10), release: ms(20) });
    assert_eq!(Choke::shared_number(articulation.choke.group), Some(3));
    let (made, articulation) = of(Shape { sustain: 0.5, ..Shape::default() });
    let articulation = articulation.unwrap();
    assert_ne!(articulation.amplitude, own.amplitude);
    assert_eq!((made.envelope, articulation.filter), (Envelope::default(), own.filter));
    let filter = FilterShape { kind: Some(FilterKind::BandPass2), ..FilterShape::default() };
    let (_, articulation) = of(Shape { filter, ..Shape::default() });
    assert_eq!(articulation.unwrap().filter.unwrap().kind, FilterKind::BandPass2);
}

#[test]
fn a_one_shot_knows_no_keys_and_velocity_may_count_for_nothing() {
    let shape = Shape { is_one_shot: true, velocity: 0.0, ..Shape::default() };
    let (made, articulation) = shaped(shape, Vec::new());
    assert_eq!(articulation.unwrap().amplitude.release(), None);
    assert_eq!(made.zones()[0].note_gain(Key::C4, Velocity::LOWEST), 1.0);
}

#[test]
fn an_articulation_never_has_more_envelopes_and_lfos_than_it_may() {
    let one = ModulationEnvelope {
        envelope: SegmentEnvelope::level(),
        depths: ModulationDepths { cutoff: 100.0, ..ModulationDepths::default() },
        by_velocity: ModulationDepths::default(),
    };
    let lfo = Shape::default().lfo;
    let own = SamplerArticulation {
        envelopes: vec![one; SamplerArticulation::MAX_ENVELOPES],
        lfos: vec![lfo; SamplerArticulation::MAX_LFOS],
        ..SamplerArticulation::plain(SegmentEnvelope::level())
    };
    let filter = FilterShape { kind: Some(FilterKind::LowPass2), depth: 1200.0, ..FilterShape::default() };
    let lfo = ModulationLfo { depths: ModulationDepths { pitch: 5.0, ..lfo.depths }, ..lfo };
    let (_, articulation) = shaped(Shape { filter, lfo, ..Shape::default() }, vec![own.into()]);
    let articulation = articulation.unwrap().checked().unwrap();
    assert_eq!(articulation.lfos.last(), Some(&lfo));
    let cutoffs: Vec<f32> = articulation.envelopes.iter().map(|one| one.depths.cutoff).collect();
    assert_eq!(cutoffs, [0.0, 0.0, 0.0, 1200.0]);
}

#[test]
fn a_filter_leaves_an_instrument_its_mode_and_its_sends() {
    let own = Instrument {
        voice_mode: VoiceMode::Legato,
        glide: Duration::from_millis(30),
        sends: Sends { reverb: Some(Decibels::UNITY), delay: None },
        ..Instrument::default()
    };
    let mut shape = Shape::default();
    shape.filter.kind = Some(FilterKind::LowPass2);
    let shaped = shape.instrument(&own, own.envelope, &[], (0, &mut Vec::new()));
    assert_eq!((shaped.voice_mode, shaped.glide, shaped.sends), (own.voice_mode, own.glide, own.sends));
    let poly = Shape { voice_mode: Some(VoiceMode::Poly), ..shape };
    assert_eq!(poly.instrument(&own, own.envelope, &[], (0, &mut Vec::new())).voice_mode, VoiceMode::Poly);
}
