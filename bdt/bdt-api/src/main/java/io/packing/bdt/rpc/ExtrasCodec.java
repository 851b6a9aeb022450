// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.protobuf.ByteString;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The translation of the extras of files. A wrong message makes it throw an {@link IllegalArgumentException}. */
public final class ExtrasCodec {
    private ExtrasCodec() {}

    static Extras encode(RareAttributes extras) {
        Extras.Builder message =
                Extras.newBuilder().setExtended(extras.extended()).setNanos(extras.nanos());
        extras.changed().ifPresent(time -> message.setChanged(time(time)));
        if (extras.isLinked()) {
            message.setLinks(extras.links());
        }
        return message.build();
    }

    static RareAttributes decode(Extras m) {
        return new RareAttributes(
                m.getExtended(),
                m.getNanos(),
                m.hasChanged() ? Optional.of(time(m.getChanged())) : Optional.empty(),
                // Masters of an earlier version leave it out.
                m.getLinks() == 0 ? 1 : m.getLinks());
    }

    public static ExtraChangeMessage encode(RareAttributeChange change) {
        ExtraChangeMessage.Builder message = ExtraChangeMessage.newBuilder().setNanos(change.nanos());
        for (ExtendedChange step : change.extended()) {
            message.addExtended(ExtraChangeMessage.Step.newBuilder()
                    .setKind(ExtraChangeMessage.Step.Kind.valueOf(step.kind().name()))
                    .setName(step.name())
                    .setValue(ByteString.copyFrom(step.value().bytes())));
        }
        change.changed().ifPresent(time -> message.setChanged(time(time)));
        return message.build();
    }

    public static RareAttributeChange decode(ExtraChangeMessage m) {
        return new RareAttributeChange(
                m.getExtendedList().stream().map(ExtrasCodec::decode).toList(),
                m.getNanos(),
                m.hasChanged() ? Optional.of(time(m.getChanged())) : Optional.empty());
    }

    private static ExtendedChange decode(ExtraChangeMessage.Step m) {
        if (m.getKind() == ExtraChangeMessage.Step.Kind.UNRECOGNIZED) {
            throw new IllegalArgumentException(
                    "unknown change of an extended attribute: the peer speaks a newer protocol");
        }
        return new ExtendedChange(
                ExtendedChange.Kind.valueOf(m.getKind().name()),
                m.getName(),
                new ExtendedValue(m.getValue().toByteArray()));
    }

    /** Decodes values by name. */
    public static Map<String, ExtendedValue> values(Map<String, ByteString> message) {
        Map<String, ExtendedValue> values = new TreeMap<>();
        message.forEach((name, value) -> values.put(name, new ExtendedValue(value.toByteArray())));
        return values;
    }

    /** Adds values by name to an answer. */
    public static void add(Map<String, ExtendedValue> values, StatReply.Builder to) {
        values.forEach((name, value) -> to.putExtended(name, ByteString.copyFrom(value.bytes())));
    }

    /** Adds values by name to the answer of a file's place. */
    static void add(Map<String, ExtendedValue> values, LocateReply.Builder to) {
        values.forEach((name, value) -> to.putExtended(name, ByteString.copyFrom(value.bytes())));
    }

    private static Time time(Instant time) {
        return Time.newBuilder()
                .setMillis(time.toEpochMilli())
                .setNanos(RareAttributes.nanos(time))
                .build();
    }

    private static Instant time(Time m) {
        return RareAttributes.time(m.getMillis(), m.getNanos());
    }
}
