package io.packing.fuzz;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.MapEntry;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which messages are not sent: those with which whoever may call at all may rightly destroy what the fuzz wants to find again.
 * There is no identity yet, so the name of a session is all that it takes to speak for it.
 */
final class Spared {
    private static final Set<String> READS =
            Set.of("Stat", "Locate", "List", "Workers", "Statistics", "Checkpoint", "SealNow");
    private static final Set<String> KEPT_FROM = Set.of("Stat", "Locate", "List", "Workers", "Statistics", "Read");
    private static final Set<String> OURS = Set.of("good-worker", "keeper");
    /** Registering a living worker's id stops that worker, which nobody could then fuzz. */
    private static final String PEER = "wild-worker";

    /** What is left out beside that, until somebody says otherwise. */
    enum Kind {
        /** Paths with thousands of components. */
        DEEP_PATHS,
        /** Mounts of other stores. */
        OTHER_STORES
    }

    private final Set<Kind> left;
    private final String goodMount;
    private final Set<String> stores;

    /**
     * @param left kinds that are left out
     * @param goodMount the name of the honest load's mount
     * @param stores that may be opened
     */
    Spared(Set<Kind> left, String goodMount, Set<String> stores) {
        this.left = left;
        this.goodMount = goodMount;
        this.stores = stores;
    }

    boolean spares(Rpc rpc, DynamicMessage message) {
        String method = rpc.name();
        boolean reads = READS.contains(method);
        return (!reads && anyText(message, text -> text.equals(goodMount)) && !hasSession(message))
                || anyText(message, OURS::contains)
                || (method.equals("Register") && anyText(message, PEER::equals))
                || (!KEPT_FROM.contains(method) && anyText(message, Spared::isKept))
                || (left.contains(Kind.DEEP_PATHS) && anyText(message, Spared::isDeep))
                || (method.equals("Open") && left.contains(Kind.OTHER_STORES) && opensAnother(message));
    }

    private static boolean hasSession(DynamicMessage message) {
        return message.getAllFields().keySet().stream()
                .anyMatch(field -> field.getName().equals("session"));
    }

    /** The root, and what is in the keeper's directory. */
    private static boolean isKept(String text) {
        return text.equals("/") || text.equals("/kept") || text.startsWith("/kept/");
    }

    private static boolean isDeep(String text) {
        return text.chars().filter(c -> c == '/').count() > Words.DEEP;
    }

    private boolean opensAnother(DynamicMessage message) {
        for (Object entry :
                (Iterable<?>) message.getField(message.getDescriptorForType().findFieldByName("options"))) {
            Map<String, Object> pair = pair(entry);
            String key = String.valueOf(pair.get("key"));
            if (key.startsWith("packing.store") && !stores.contains(String.valueOf(pair.get("value")))) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, Object> pair(Object entry) {
        if (entry instanceof MapEntry<?, ?> known) {
            return Map.of("key", known.getKey(), "value", known.getValue());
        }
        DynamicMessage message = (DynamicMessage) entry;
        return Map.of(
                "key", message.getField(message.getDescriptorForType().findFieldByName("key")),
                "value", message.getField(message.getDescriptorForType().findFieldByName("value")));
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
