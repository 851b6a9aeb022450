package io.packing.cache;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which objects each user asked for before, which tells what a user will not ask for again: the ULmap of DupHunter (§4.2.4). It is
 * bounded: of users, and of each user's objects, those are forgotten that were longest not asked for. Thread-safe.
 *
 * @param <U> users
 * @param <O> objects
 */
public final class AskedBefore<U, O> {
    private final int mostUsers;
    private final int mostObjects;
    private final Map<U, Set<O>> byUser;

    /**
     * Nobody has asked for anything.
     *
     * @param mostUsers that are remembered
     * @param mostObjects of each user
     */
    public AskedBefore(int mostUsers, int mostObjects) {
        if (mostUsers < 1 || mostObjects < 1) {
            throw new IllegalArgumentException("bad bounds %d, %d".formatted(mostUsers, mostObjects));
        }
        this.mostUsers = mostUsers;
        this.mostObjects = mostObjects;
        this.byUser = new LinkedHashMap<>(16, 0.75f, true);
    }

    /** A user asks for an object; whether for the first time that is remembered. */
    public synchronized boolean ask(U user, O object) {
        Set<O> objects = byUser.computeIfAbsent(user, absent -> new LinkedHashSet<>());
        boolean first = !objects.remove(object);
        objects.add(object);
        dropOldest(objects, mostObjects);
        dropOldest(byUser.keySet(), mostUsers);
        return first;
    }

    private static <T> void dropOldest(Set<T> all, int most) {
        if (all.size() > most) {
            Iterator<T> oldest = all.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Those of some objects that a user has not asked for, in their order: S∆ of the paper's Equation 1. */
    public synchronized List<O> notAsked(U user, Collection<O> objects) {
        Set<O> asked = byUser.getOrDefault(user, Set.of());
        return objects.stream()
                .filter(object -> !asked.contains(object))
                .distinct()
                .toList();
    }
}
