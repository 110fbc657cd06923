//! Instructions and their operands.

use super::Operand as O;
use super::{Instruction, Operand};
use crate::json::uassetapi::layout::Kind;

const OFFSET: Operand = O::Plain(Kind::U32, 4);

const VARIABLE: &[(&str, Operand)] = &[("Variable", O::Property)];
const LET: &[(&str, Operand)] =
    &[("VariableExpression", O::Expression), ("AssignmentExpression", O::Expression)];
const CAST: &[(&str, Operand)] = &[("ClassPtr", O::Object), ("Target", O::Expression)];
const CONTEXT: &[(&str, Operand)] = &[
    ("ObjectExpression", O::Expression),
    ("Offset", OFFSET),
    ("RValuePointer", O::Property),
    ("ContextExpression", O::Expression),
];
const VIRTUAL: &[(&str, Operand)] = &[("VirtualFunctionName", O::Name), ("Parameters", O::Until(0x16))];
const FINAL: &[(&str, Operand)] = &[("StackNode", O::Object), ("Parameters", O::Until(0x16))];
const DELEGATES: &[(&str, Operand)] = &[("Delegate", O::Expression), ("DelegateToAdd", O::Expression)];
const EXPRESSION: &[(&str, Operand)] = &[("Value", O::Expression)];

/// Instructions: token, name without `EX_`, and operands in the order of the package.
pub(super) const INSTRUCTIONS: [Instruction; 97] = [
    (0x00, "LocalVariable", VARIABLE),
    (0x01, "InstanceVariable", VARIABLE),
    (0x02, "DefaultVariable", VARIABLE),
    (0x04, "Return", &[("ReturnExpression", O::Expression)]),
    (0x06, "Jump", &[("CodeOffset", OFFSET)]),
    (0x07, "JumpIfNot", &[("CodeOffset", OFFSET), ("BooleanExpression", O::Expression)]),
    (
        0x09,
        "Assert",
        &[
            ("LineNumber", O::Plain(Kind::U16, 2)),
            ("DebugMode", O::Plain(Kind::Bool, 1)),
            ("AssertExpression", O::Expression),
        ],
    ),
    (0x0B, "Nothing", &[]),
    (0x0C, "NothingInt32", &[("Value", O::Plain(Kind::I32, 4))]),
    (0x0F, "Let", &[("Value", O::Property), ("Variable", O::Expression), ("Expression", O::Expression)]),
    (0x11, "BitFieldConst", &[("InnerProperty", O::Property), ("Value", O::Plain(Kind::U8, 1))]),
    (0x12, "ClassContext", CONTEXT),
    (0x13, "MetaCast", CAST),
    (0x14, "LetBool", LET),
    (0x15, "EndParmValue", &[]),
    (0x16, "EndFunctionParms", &[]),
    (0x17, "Self", &[]),
    (0x18, "Skip", &[("CodeOffset", OFFSET), ("SkipExpression", O::Expression)]),
    (0x19, "Context", CONTEXT),
    (0x1A, "Context_FailSilent", CONTEXT),
    (0x1B, "VirtualFunction", VIRTUAL),
    (0x1C, "FinalFunction", FINAL),
    (0x1D, "IntConst", &[("Value", O::Plain(Kind::I32, 4))]),
    (0x1E, "FloatConst", &[("Value", O::Plain(Kind::F32, 4))]),
    (0x1F, "StringConst", &[("Value", O::Characters(1))]),
    (0x20, "ObjectConst", &[("Value", O::Object)]),
    (0x21, "NameConst", &[("Value", O::Name)]),
    (0x22, "RotationConst", &[("Value", O::Numbers("UnrealTypes.FRotator", &["Pitch", "Yaw", "Roll"]))]),
    (0x23, "VectorConst", &[("Value", O::Numbers("UnrealTypes.FVector", &["X", "Y", "Z"]))]),
    (0x24, "ByteConst", &[("Value", O::Plain(Kind::U8, 1))]),
    (0x25, "IntZero", &[]),
    (0x26, "IntOne", &[]),
    (0x27, "True", &[]),
    (0x28, "False", &[]),
    (0x29, "TextConst", &[("Value", O::Text)]),
    (0x2A, "NoObject", &[]),
    (0x2B, "TransformConst", &[("Value", O::Transform)]),
    (0x2C, "IntConstByte", &[("Value", O::Plain(Kind::U8, 1))]),
    (0x2D, "NoInterface", &[]),
    (0x2E, "DynamicCast", CAST),
    (
        0x2F,
        "StructConst",
        &[("Struct", O::Object), ("StructSize", O::Plain(Kind::I32, 4)), ("Value", O::Until(0x30))],
    ),
    (0x30, "EndStructConst", &[]),
    (0x31, "SetArray", &[("AssigningProperty", O::ArrayVariable), ("Elements", O::Until(0x32))]),
    (0x32, "EndArray", &[]),
    (0x33, "PropertyConst", &[("Property", O::Property)]),
    (0x34, "UnicodeStringConst", &[("Value", O::Characters(2))]),
    (0x35, "Int64Const", &[("Value", O::Plain(Kind::I64, 8))]),
    (0x36, "UInt64Const", &[("Value", O::Plain(Kind::U64, 8))]),
    (0x37, "DoubleConst", &[("Value", O::Plain(Kind::Double, 8))]),
    (0x38, "PrimitiveCast", &[("ConversionType", O::Cast), ("Target", O::Expression)]),
    (0x39, "SetSet", &[("SetProperty", O::Expression), ("Elements", O::Counted(0x3A, 1))]),
    (0x3A, "EndSet", &[]),
    (0x3B, "SetMap", &[("MapProperty", O::Expression), ("Elements", O::Counted(0x3C, 2))]),
    (0x3C, "EndMap", &[]),
    (0x3D, "SetConst", &[("InnerProperty", O::Property), ("Elements", O::Counted(0x3E, 1))]),
    (0x3E, "EndSetConst", &[]),
    (
        0x3F,
        "MapConst",
        &[("KeyProperty", O::Property), ("ValueProperty", O::Property), ("Elements", O::Counted(0x40, 2))],
    ),
    (0x40, "EndMapConst", &[]),
    (
        0x41,
        "Vector3fConst",
        &[("X", O::Plain(Kind::F32, 4)), ("Y", O::Plain(Kind::F32, 4)), ("Z", O::Plain(Kind::F32, 4))],
    ),
    (
        0x42,
        "StructMemberContext",
        &[("StructMemberExpression", O::Property), ("StructExpression", O::Expression)],
    ),
    (0x43, "LetMulticastDelegate", LET),
    (0x44, "LetDelegate", LET),
    (0x45, "LocalVirtualFunction", VIRTUAL),
    (0x46, "LocalFinalFunction", FINAL),
    (0x48, "LocalOutVariable", VARIABLE),
    (0x4A, "DeprecatedOp4A", &[]),
    (0x4B, "InstanceDelegate", &[("FunctionName", O::Name)]),
    (0x4C, "PushExecutionFlow", &[("PushingAddress", OFFSET)]),
    (0x4D, "PopExecutionFlow", &[]),
    (0x4E, "ComputedJump", &[("CodeOffsetExpression", O::Expression)]),
    (0x4F, "PopExecutionFlowIfNot", &[("BooleanExpression", O::Expression)]),
    (0x50, "Breakpoint", &[]),
    (0x51, "InterfaceContext", &[("InterfaceValue", O::Expression)]),
    (0x52, "ObjToInterfaceCast", CAST),
    (0x53, "EndOfScript", &[]),
    (0x54, "CrossInterfaceCast", CAST),
    (0x55, "InterfaceToObjCast", CAST),
    (0x5A, "WireTracepoint", &[]),
    (0x5B, "SkipOffsetConst", &[("Value", OFFSET)]),
    (0x5C, "AddMulticastDelegate", DELEGATES),
    (0x5D, "ClearMulticastDelegate", &[("DelegateToClear", O::Expression)]),
    (0x5E, "Tracepoint", &[]),
    (0x5F, "LetObj", LET),
    (0x60, "LetWeakObjPtr", LET),
    (
        0x61,
        "BindDelegate",
        &[("FunctionName", O::Name), ("Delegate", O::Expression), ("ObjectTerm", O::Expression)],
    ),
    (0x62, "RemoveMulticastDelegate", DELEGATES),
    (
        0x63,
        "CallMulticastDelegate",
        &[("StackNode", O::Object), ("Delegate", O::Expression), ("Parameters", O::Until(0x16))],
    ),
    (
        0x64,
        "LetValueOnPersistentFrame",
        &[("DestinationProperty", O::Property), ("AssignmentExpression", O::Expression)],
    ),
    (0x65, "ArrayConst", &[("InnerProperty", O::Property), ("Elements", O::Counted(0x66, 1))]),
    (0x66, "EndArrayConst", &[]),
    (0x67, "SoftObjectConst", EXPRESSION),
    (0x68, "CallMath", FINAL),
    (0x69, "SwitchValue", &[("", O::Switch)]),
    (0x6A, "InstrumentationEvent", &[("", O::Event)]),
    (0x6B, "ArrayGetByRef", &[("ArrayVariable", O::Expression), ("ArrayIndex", O::Expression)]),
    (0x6C, "ClassSparseDataVariable", VARIABLE),
    (0x6D, "FieldPathConst", EXPRESSION),
];
