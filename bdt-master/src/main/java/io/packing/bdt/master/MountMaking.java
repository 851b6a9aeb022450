// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.DeniedException;
import io.packing.bdt.master.cloud.MountHolders;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.store.MissingStoreException;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.StoreLocation;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The decision whether a mount that is not there may be made (RFC 0016). Nothing is written for it. Thread-safe. */
final class MountMaking {
    private static final Logger LOG = LoggerFactory.getLogger(MountMaking.class);
    private static final int PAGE = 1_000;
    /** Objects by which a mount below this store is known, and where that is. */
    private static final Pattern BELOW = Pattern.compile("(.+)/bdt/(?:identity|epoch-[^/]*)");

    private final Stores stores;
    private final MountTables tables;
    private final LongSupplier nanos;

    MountMaking(Stores stores, MountTables tables, LongSupplier nanos) {
        this.stores = stores;
        this.tables = tables;
        this.nanos = nanos;
    }

    /**
     * Lets an opening pass when the mount is there, or may be made.
     *
     * @throws DeniedException when it is not there, and the caller may not make it
     * @throws IllegalArgumentException when it is there and must not be, its key is not, or its store would be mixed with another one
     */
    void check(MountRequest request, ObjectStore objects) throws IOException {
        if (isThere(request.id(), objects)) {
            if (request.create()) {
                throw there(request);
            }
            return;
        }
        if (!request.mayMake()) {
            throw none(request);
        }
        String key = request.terms().get(BdtOptions.ENCRYPTION_KEY);
        if (!key.isEmpty()) {
            // Before the store has an identity: the next caller must not find a mount without its key.
            new MountKeys(stores.keystore(), nanos).use(key);
        }
        checkApart(request, objects);
    }

    /**
     * Lets a store pass that has no other mount's above or below it.
     *
     * @throws IllegalArgumentException when it has
     */
    void checkApart(MountRequest request, ObjectStore objects) throws IOException {
        checkAbove(request);
        checkBelow(request, objects);
    }

    /** Returns whether the caller may not learn what is in the store: the caller may make no mount, and this master has none there. */
    boolean isHidden(MountRequest request) throws IOException {
        return !request.mayMake() && tables.ready(request.id()).isEmpty();
    }

    static DeniedException none(MountRequest request) {
        return new DeniedException(
                ("Permission denied: there is no mount at %s. An operator makes it with `packing mounts create %s`, or a worker"
                                + " that is configured for it; check packing.store if it should be there")
                        .formatted(
                                request.address(), request.address().location().text()));
    }

    /**
     * Returns how an opening ends whose store is missing. A caller who may not make mounts gets the answer for a directory without one,
     * unless this master has the mount.
     */
    IOException missing(MountRequest request, MissingStoreException missing) throws IOException {
        return isHidden(request) ? none(request) : missing;
    }

    static IllegalArgumentException there(MountRequest request) {
        return new IllegalArgumentException(
                ("mount %s of %s is there already: `packing mounts show %s` tells its options, and `packing mounts set %s` changes"
                                + " them")
                        .formatted(request.id(), request.address(), request.id(), request.id()));
    }

    private boolean isThere(String id, ObjectStore objects) throws IOException {
        // An older version gave its stores no identity.
        return tables.ready(id).isPresent() || StoreIdentity.find(objects).isPresent() || MountHolders.isTaken(objects);
    }

    private void checkAbove(MountRequest request) throws IOException {
        for (StoreLocation above : above(request.address().location())) {
            Map<String, String> raw = new HashMap<>(request.raw());
            raw.put("packing.store", spelled(above));
            try (ObjectStore other = stores.objects(raw)) {
                if (other.head(StoreIdentity.KEY).isPresent()) {
                    throw mixed(request, "it lies below the store of another mount, %s".formatted(above.text()));
                }
            } catch (StoreNotAllowedException e) {
                // Nor is any store above that one this master's.
                return;
            } catch (StoreUnavailableException e) {
                throw e;
            } catch (IOException e) {
                LOG.info("whether {} has a mount cannot be found out: {}", above.text(), e.toString());
            }
        }
    }

    private void checkBelow(MountRequest request, ObjectStore objects) throws IOException {
        List<ObjectInfo> first;
        try {
            first = objects.list("", "", PAGE);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (IOException e) {
            LOG.info("whether a mount is below {} cannot be found out: {}", request.address(), e.toString());
            return;
        }
        Optional<String> below = first.stream()
                .map(object -> BELOW.matcher(object.key()))
                .filter(Matcher::matches)
                .map(match -> match.group(1))
                .findFirst();
        if (below.isPresent()) {
            throw mixed(request, "the store of another mount lies below it, at %s".formatted(below.get()));
        }
    }

    private static IllegalArgumentException mixed(MountRequest request, String why) {
        return new IllegalArgumentException(
                "no mount is made at %s: %s, and the objects of both would be mixed. Give each mount a prefix of its own"
                        .formatted(request.address(), why));
    }

    /** The locations that this one lies in, the nearest first. */
    private static List<StoreLocation> above(StoreLocation location) {
        List<StoreLocation> above = new ArrayList<>();
        if (location instanceof StoreLocation.InBucket bucket) {
            for (String prefix = bucket.prefix(); !prefix.isEmpty(); ) {
                prefix = prefix.substring(0, Math.max(0, prefix.lastIndexOf('/')));
                above.add(bucket.at(prefix));
            }
        } else if (location instanceof StoreLocation.Directory directory) {
            Path root = directory.path().getRoot();
            for (Path path = directory.path().getParent();
                    path != null && !path.equals(root);
                    path = path.getParent()) {
                above.add(new StoreLocation.Directory(path));
            }
        }
        return above;
    }

    /** A location as an option has it, whatever characters are in it. */
    private static String spelled(StoreLocation location) {
        return location instanceof StoreLocation.Directory directory
                ? directory.path().toUri().toString()
                : location.text();
    }
}
