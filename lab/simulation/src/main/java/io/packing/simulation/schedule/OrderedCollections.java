// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Immutable sets and maps in the order of their elements. The JDK's own have an order that each process draws, and a seed has to replay
 * in another process.
 */
public final class OrderedCollections {
    private OrderedCollections() {}

    public static Set<Object> setOf(Object[] elements) {
        return setCopyOf(Arrays.asList(elements));
    }

    public static Set<Object> setCopyOf(Collection<?> elements) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(elements));
    }

    public static Map<Object, Object> mapCopyOf(Map<?, ?> entries) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    public static Map<Object, Object> mapOf(Map.Entry<?, ?>[] entries) {
        Map<Object, Object> all = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : entries) {
            all.put(entry.getKey(), entry.getValue());
        }
        return Collections.unmodifiableMap(all);
    }

    private static Map.Entry<?, ?>[] entries(Map.Entry<?, ?>... entries) {
        return List.of(entries).toArray(Map.Entry<?, ?>[]::new);
    }

    public static Set<Object> setOf(Object a, Object b) {
        return setOf(new Object[] {a, b});
    }

    public static Set<Object> setOf(Object a, Object b, Object c) {
        return setOf(new Object[] {a, b, c});
    }

    public static Set<Object> setOf(Object a, Object b, Object c, Object d) {
        return setOf(new Object[] {a, b, c, d});
    }

    public static Set<Object> setOf(Object a, Object b, Object c, Object d, Object e) {
        return setOf(new Object[] {a, b, c, d, e});
    }

    public static Map<Object, Object> mapOf(Object k1, Object v1, Object k2, Object v2) {
        return mapOf(entries(Map.entry(k1, v1), Map.entry(k2, v2)));
    }

    public static Map<Object, Object> mapOf(Object k1, Object v1, Object k2, Object v2, Object k3, Object v3) {
        return mapOf(entries(Map.entry(k1, v1), Map.entry(k2, v2), Map.entry(k3, v3)));
    }

    public static Map<Object, Object> mapOf(
            Object k1, Object v1, Object k2, Object v2, Object k3, Object v3, Object k4, Object v4) {
        return mapOf(entries(Map.entry(k1, v1), Map.entry(k2, v2), Map.entry(k3, v3), Map.entry(k4, v4)));
    }
}
