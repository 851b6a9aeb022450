// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import java.io.IOException;
import java.util.Map;

/**
 * The limits of messages to a server: the size, by method, and the number of values of a repeated field.
 *
 * @param bytes of one message, by the method's name without its service
 * @param otherBytes of one message of any other method
 * @param counts of a repeated field's values in one message, by the field's full name
 * @param otherCount of any other repeated field's values
 */
public record MessageLimits(Map<String, Integer> bytes, int otherBytes, Map<String, Integer> counts, int otherCount) {
    public MessageLimits {
        bytes = Map.copyOf(bytes);
        counts = Map.copyOf(counts);
    }

    int bytesOf(String method) {
        return bytes.getOrDefault(method, otherBytes);
    }

    int countOf(String field) {
        return counts.getOrDefault(field, otherCount);
    }

    /**
     * Counts the values of the repeated fields of a message that is still bytes.
     *
     * @throws IllegalArgumentException naming the field with too many values
     */
    public void check(Descriptor type, CodedInputStream in) throws IOException {
        new FieldCounts(this).check(type, in);
    }

    /** Returns the largest size of a message of any method, which the server as a whole must accept. */
    public int mostBytes() {
        return bytes.values().stream().mapToInt(Integer::intValue).reduce(otherBytes, Math::max);
    }
}
