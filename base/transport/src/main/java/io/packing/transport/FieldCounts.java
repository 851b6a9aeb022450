// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A counter of the values of a message's repeated fields, while the message is still bytes. A value of two bytes
 * becomes an object of fifty, so a short message can become too large. Each instance checks one message.
 */
final class FieldCounts {
    private static final int UNKNOWN_FIELDS = 1_000;
    private static final int DEEPEST = 16;

    private final MessageLimits limits;
    private final Map<String, Integer> counts = new HashMap<>();
    private int unknown;

    FieldCounts(MessageLimits limits) {
        this.limits = limits;
    }

    /**
     * Checks a message.
     *
     * @throws IllegalArgumentException naming the field with too many values
     */
    void check(Descriptor type, CodedInputStream in) throws IOException {
        check(type, in, 0);
    }

    private void check(Descriptor type, CodedInputStream in, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("messages inside of messages, more than %d deep".formatted(DEEPEST));
        }
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            boolean delimited = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (field == null) {
                if (++unknown > UNKNOWN_FIELDS) {
                    throw new IllegalArgumentException("more than %d unknown fields".formatted(UNKNOWN_FIELDS));
                }
                skip(in, tag);
            } else if (delimited && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                count(field, 1);
                int outer = in.pushLimit(in.readRawVarint32());
                check(field.getMessageType(), in, depth + 1);
                in.popLimit(outer);
            } else if (delimited && field.isPackable()) {
                packed(field, in);
            } else {
                count(field, 1);
                skip(in, tag);
            }
        }
    }

    private void packed(FieldDescriptor field, CodedInputStream in) throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        int width = width(field);
        if (width > 0) {
            int bytes = in.getBytesUntilLimit();
            count(field, bytes / width);
            in.skipRawBytes(bytes);
        }
        while (!in.isAtEnd()) {
            long unused = in.readRawVarint64();
            count(field, 1);
        }
        in.popLimit(outer);
    }

    /** Returns the bytes of a value of a type; 0 when they vary. */
    private static int width(FieldDescriptor field) {
        return switch (field.getType()) {
            case FIXED32, SFIXED32, FLOAT -> Integer.BYTES;
            case FIXED64, SFIXED64, DOUBLE -> Long.BYTES;
            default -> 0;
        };
    }

    private void count(FieldDescriptor field, int values) {
        if (field.isRepeated()) {
            int most = limits.countOf(field.getFullName());
            if (counts.merge(field.getFullName(), values, Integer::sum) > most) {
                throw new IllegalArgumentException("more than %d values of %s: send them in several messages"
                        .formatted(most, field.getFullName()));
            }
        }
    }

    private static void skip(CodedInputStream in, int tag) throws IOException {
        if (!in.skipField(tag)) {
            throw new IllegalArgumentException("a group ends that has not begun");
        }
    }
}
