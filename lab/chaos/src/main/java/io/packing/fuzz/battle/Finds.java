// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The finds, each kind of harm once. Thread-safe. */
public final class Finds {
    private static final int MOST_CHARACTERS = 1_500;

    /**
     * A kind of harm.
     *
     * @param what description of the harm
     * @param call the number of the first call that did it; -1: no single call
     * @param message the smallest such message as text, or another hint
     */
    public record Find(String what, long call, String message) {}

    private final Map<String, Find> finds = new LinkedHashMap<>();
    private final Map<String, Long> times = new LinkedHashMap<>();

    /** Counts a harm; returns whether it is the first of its kind. */
    public synchronized boolean isNew(String what) {
        return times.merge(kind(what), 1L, Long::sum) == 1;
    }

    public synchronized void add(String what, long call, String message) {
        String shown = message.length() > MOST_CHARACTERS ? message.substring(0, MOST_CHARACTERS) + "..." : message;
        finds.putIfAbsent(kind(what), new Find(what, call, shown));
        times.putIfAbsent(kind(what), 1L);
    }

    /** Removes numbers and quoted values, which differ from call to call. */
    private static String kind(String what) {
        String plain = what.replaceAll("'[^']*'", "'x'").replaceAll("[0-9]+", "0");
        return plain.substring(0, Math.min(plain.length(), 120));
    }

    public synchronized List<Find> all() {
        return new ArrayList<>(finds.values());
    }
}
