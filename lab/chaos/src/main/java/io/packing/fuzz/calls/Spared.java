// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The messages that the fuzz does not send. By them a caller may destroy files that the fuzz must find again: without
 * TLS, a caller that knows the name of a session speaks for it.
 */
public final class Spared {
    private static final Set<String> READS = Set.of(
            "Stat", "Locate", "List", "Find", "Access", "Scan", "Workers", "Statistics", "Checkpoint", "SealNow");
    private static final Set<String> KEPT_FROM = Set.of(
            "Stat",
            "Locate",
            "List",
            "Find",
            "Access",
            "Scan",
            "Workers",
            "Statistics",
            "Read",
            "ReadStored",
            "ReadBatch");
    private static final Set<String> OURS = Set.of("good-worker", "keeper");

    private final String goodMount;

    /** @param goodMount the name of the honest load's mount */
    public Spared(String goodMount) {
        this.goodMount = goodMount;
    }

    public boolean spares(Rpc rpc, DynamicMessage message) {
        String method = rpc.name();
        boolean reads = READS.contains(method);
        return (!reads && anyText(message, text -> text.equals(goodMount)) && !hasSession(message))
                || anyText(message, OURS::contains)
                || (!KEPT_FROM.contains(method) && anyText(message, Spared::isKept));
    }

    private static boolean hasSession(DynamicMessage message) {
        return message.getAllFields().keySet().stream()
                .anyMatch(field -> field.getName().equals("session"));
    }

    /** Returns whether a path is the root or in the keeper's directory. */
    private static boolean isKept(String text) {
        return text.equals("/") || text.equals("/kept") || text.startsWith("/kept/");
    }

    private static boolean anyText(DynamicMessage message, Predicate<String> test) {
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            if (field.getValue() instanceof Iterable<?> values) {
                for (Object value : values) {
                    if (anyText(value, test)) {
                        return true;
                    }
                }
            } else if (anyText(field.getValue(), test)) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyText(Object value, Predicate<String> test) {
        if (value instanceof String text) {
            return test.test(text);
        }
        return value instanceof DynamicMessage message && anyText(message, test);
    }
}
