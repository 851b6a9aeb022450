// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects that each user requested before, which predict those that a user will not request again: the ULmap of
 * DupHunter (§4.2.4). It is bounded: it forgets the users, and the objects of each user, without a request for longest.
 * Thread-safe.
 *
 * @param <U> users
 * @param <O> objects
 */
public final class RequestHistory<U, O> {
    private final int mostUsers;
    private final int mostObjects;
    private final Map<U, Set<O>> byUser;

    /**
     * Creates an empty map.
     *
     * @param mostUsers that are remembered
     * @param mostObjects of each user
     */
    public RequestHistory(int mostUsers, int mostObjects) {
        if (mostUsers < 1 || mostObjects < 1) {
            throw new IllegalArgumentException("bad bounds %d, %d".formatted(mostUsers, mostObjects));
        }
        this.mostUsers = mostUsers;
        this.mostObjects = mostObjects;
        this.byUser = new LinkedHashMap<>(16, 0.75f, true);
    }

    /** Notes a user's request for an object; returns true if no earlier one is remembered. */
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

    /** Returns the objects that a user has not requested, in their order: S∆ of the paper's Equation 1. */
    public synchronized List<O> notAsked(U user, Collection<O> objects) {
        Set<O> asked = byUser.getOrDefault(user, Set.of());
        return objects.stream()
                .filter(object -> !asked.contains(object))
                .distinct()
                .toList();
    }
}
