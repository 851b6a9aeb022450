// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check that a store obeys conditions of PUTs, by which masters keep each other from a mount. It takes one request, when this
 * process first takes a mount. Thread-safe.
 */
final class StoreConditions {
    private static final Logger LOG = LoggerFactory.getLogger(StoreConditions.class);

    private final boolean takeOver;
    /** Mounts whose stores were seen to obey, or of which the operator says that no other master runs. */
    private final Set<String> passed = ConcurrentHashMap.newKeySet();

    /** @param takeOver true if the operator says that the masters before this one are stopped */
    StoreConditions(boolean takeOver) {
        this.takeOver = takeOver;
    }

    /**
     * Returns the identity of a store, which it makes if there is none. A store that ignores conditions is left without one.
     *
     * @throws IllegalArgumentException when the store ignores conditions, with the next step
     */
    StoreIdentity findOrMake(String mount, StoreAddress store, ObjectStore objects, String instance)
            throws IOException {
        boolean isNew = StoreIdentity.find(objects).isEmpty();
        StoreIdentity identity = StoreIdentity.findOrMake(objects, instance);
        if (!isNew) {
            check(mount, store, objects, identity);
        } else if (identity.isKept(objects)) {
            passed.add(mount);
        } else {
            objects.delete(List.of(StoreIdentity.KEY));
            throw new IllegalArgumentException(
                    ("no mount is made at %s: %s. Take another store, or a version of it that obeys; `packing doctor` tells"
                                    + " whether it does")
                            .formatted(store, why()));
        }
        return identity;
    }

    /**
     * Lets a mount pass that is there.
     *
     * @throws IllegalArgumentException when its store ignores conditions, with the next step
     */
    void check(String mount, StoreAddress store, ObjectStore objects, StoreIdentity identity) throws IOException {
        if (passed.contains(mount)) {
            return;
        }
        if (!identity.isKept(objects)) {
            if (!takeOver) {
                throw new IllegalArgumentException(
                        ("mount %s at %s is not opened: %s. Nothing was changed. Update the store. Until then stop all other"
                                        + " masters, and start this one with --take-over (bdt.take.over=true): it opens the mount, and"
                                        + " nothing keeps a second master from it")
                                .formatted(mount, store, why()));
            }
            LOG.error("mount {} at {} is opened, as the operator says, although {}", mount, store, why());
        }
        passed.add(mount);
    }

    private static String why() {
        return "the store ignores the condition of a PUT (If-None-Match: *), by which masters keep each other from a mount";
    }
}
