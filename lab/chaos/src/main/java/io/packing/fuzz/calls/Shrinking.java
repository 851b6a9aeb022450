// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.function.Predicate;

/** A search for a smaller message that does equal harm. */
final class Shrinking {
    private static final int MOST_TRIES = 60;

    private final Predicate<DynamicMessage> harms;
    private int tries;

    /** @param harms sends a message, and returns whether it does the harm */
    Shrinking(Predicate<DynamicMessage> harms) {
        this.harms = harms;
    }

    DynamicMessage smallest(DynamicMessage message) {
        DynamicMessage smallest = message;
        for (int strange : message.getUnknownFields().asMap().keySet()) {
            smallest = withoutUnknown(smallest, strange);
        }
        for (FieldDescriptor field : List.copyOf(message.getAllFields().keySet())) {
            smallest = without(smallest, field);
        }
        return smallest;
    }

    /** Removes an unknown field, such as a number that an enum lacks. */
    private DynamicMessage withoutUnknown(DynamicMessage message, int number) {
        UnknownFieldSet rest =
                message.getUnknownFields().toBuilder().clearField(number).build();
        DynamicMessage cleared = message.toBuilder().setUnknownFields(rest).build();
        return harmful(cleared) ? cleared : message;
    }

    private DynamicMessage without(DynamicMessage message, FieldDescriptor field) {
        DynamicMessage cleared = message.toBuilder().clearField(field).build();
        if (harmful(cleared)) {
            return cleared;
        }
        return field.isRepeated() ? shorter(message, field) : inside(message, field);
    }

    private DynamicMessage shorter(DynamicMessage message, FieldDescriptor field) {
        DynamicMessage now = message;
        for (int count = now.getRepeatedFieldCount(field); count > 1; count = now.getRepeatedFieldCount(field)) {
            DynamicMessage.Builder half = now.toBuilder().clearField(field);
            for (int i = 0; i < count / 2; i++) {
                half.addRepeatedField(field, now.getRepeatedField(field, i));
            }
            DynamicMessage built = half.build();
            if (!harmful(built)) {
                return now;
            }
            now = built;
        }
        return now;
    }

    private DynamicMessage inside(DynamicMessage message, FieldDescriptor field) {
        if (!(message.getField(field) instanceof DynamicMessage inner)) {
            return message;
        }
        Shrinking within = new Shrinking(candidate ->
                harmful(message.toBuilder().setField(field, (Message) candidate).build()));
        return message.toBuilder().setField(field, within.smallest(inner)).build();
    }

    private boolean harmful(DynamicMessage message) {
        return ++tries <= MOST_TRIES && harms.test(message);
    }
}
