// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bytes of a change of extra attributes in the journal: bits say which of its parts follow. Steps are a kind, a name and of some a value. */
final class ExtraAttributesBytes {
    private static final int EXTENDED = 16;
    private static final int NANOS = 32;
    private static final int CHANGED = 64;

    private static final int PUT = 0;
    private static final int DROP = 1;
    private static final int CLEAR = 2;

    private ExtraAttributesBytes() {}

    /** Returns the bits of the present attributes. */
    static int bits(RareAttributeChange change) {
        return (change.extended().isEmpty() ? 0 : EXTENDED)
                | (change.nanos() == 0 ? 0 : NANOS)
                | (change.changed().isPresent() ? CHANGED : 0);
    }

    /** @param change {@linkplain ExtraAttributes#settled settled} */
    static void encode(RareAttributeChange change, Bytes.Out out) {
        if (!change.extended().isEmpty()) {
            out.number(change.extended().size());
            change.extended().forEach(step -> encode(step, out));
        }
        if (change.nanos() != 0) {
            out.number(change.nanos());
        }
        change.changed().ifPresent(time -> ExtraAttributes.encode(time, out));
    }

    private static void encode(ExtendedChange step, Bytes.Out out) {
        switch (step.kind()) {
            case PUT -> out.byte1(PUT).text(step.name()).blob(step.value().bytes());
            case DROP -> out.byte1(DROP).text(step.name());
            case CLEAR -> out.byte1(CLEAR);
            case CREATE, REPLACE, REMOVE -> throw new IllegalArgumentException(step + " depends on what is there");
        }
    }

    static RareAttributeChange decode(int bits, Bytes.In in) {
        List<ExtendedChange> steps = new ArrayList<>();
        if ((bits & EXTENDED) != 0) {
            for (int left = in.smallNumber(); left > 0; left--) {
                steps.add(step(in));
            }
        }
        int nanos = (bits & NANOS) == 0 ? 0 : ExtraAttributes.nanos(in);
        Optional<Instant> changed = (bits & CHANGED) == 0 ? Optional.empty() : Optional.of(ExtraAttributes.time(in));
        return new RareAttributeChange(steps, nanos, changed);
    }

    private static ExtendedChange step(Bytes.In in) {
        int kind = in.byte1();
        return switch (kind) {
            case PUT -> ExtendedChange.put(in.text(), new ExtendedValue(in.blob()));
            case DROP -> ExtendedChange.of(ExtendedChange.Kind.DROP, in.text());
            case CLEAR -> ExtendedChange.CLEAR;
            default -> throw new Bytes.MalformedException("a change of an extended attribute of kind " + kind);
        };
    }
}
