package io.packing.fuzz.battle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was found, each kind of harm once. Thread-safe. */
public final class Finds {
    private static final int MOST_CHARACTERS = 1_500;

    /**
     * One kind of harm.
     *
     * @param what it is
     * @param call the number of the call that did it first; -1: none in particular
     * @param message the smallest one that does it, as text, or what else helps
     */
    public record Find(String what, long call, String message) {}

    private final Map<String, Find> finds = new LinkedHashMap<>();
    private final Map<String, Long> times = new LinkedHashMap<>();

    /** Notes it; returns whether it is the first of its kind. */
    public synchronized boolean isNew(String what) {
        return times.merge(kind(what), 1L, Long::sum) == 1;
    }

    public synchronized void add(String what, long call, String message) {
        String shown = message.length() > MOST_CHARACTERS ? message.substring(0, MOST_CHARACTERS) + "..." : message;
        finds.putIfAbsent(kind(what), new Find(what, call, shown));
        times.putIfAbsent(kind(what), 1L);
    }

    /** Numbers and quoted values differ from call to call. */
    private static String kind(String what) {
        String plain = what.replaceAll("'[^']*'", "'x'").replaceAll("[0-9]+", "0");
        return plain.substring(0, Math.min(plain.length(), 120));
    }

    public synchronized List<Find> all() {
        return new ArrayList<>(finds.values());
    }
}
