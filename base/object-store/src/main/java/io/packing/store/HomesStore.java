// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of a mount whose objects are at one or at several places ({@link Homes}). It writes to the first place, reads where an object is,
 * lists the objects of all, and deletes at all. Thread-safe.
 */
public final class HomesStore implements ObjectStore {
    private static final Logger LOG = LoggerFactory.getLogger(HomesStore.class);

    /** The source of a place's store. */
    public interface Opener {
        ObjectStore open(Map<String, String> place) throws IOException;
    }

    /** A question to the BDT master, when an object is at no known place. */
    public interface Teller {
        /** Knows no others. */
        Teller NONE = Optional::empty;

        /** Returns the present homes; empty when they are not known. */
        Optional<Homes> tell() throws IOException;
    }

    private record Open(Homes homes, List<ObjectStore> stores) {
        ObjectStore first() {
            return stores.get(0);
        }

        /** Returns the stores in the order in which to look for an object. */
        List<ObjectStore> order(String key) {
            if (stores.size() == 1 || !homes.isOlder(key)) {
                return stores;
            }
            List<ObjectStore> order = new ArrayList<>(stores.subList(1, stores.size()));
            order.add(first());
            return order;
        }
    }

    private interface Read<T> {
        T from(ObjectStore store) throws IOException;
    }

    private final Opener opener;
    private final Teller teller;
    /** All stores that were opened; the ones of former homes may be in use still. Guarded by this object's lock. */
    private final Map<Map<String, String>, ObjectStore> opened = new HashMap<>();

    private volatile Open open;
    private volatile boolean closed;

    /**
     * A store with one place.
     *
     * @param place that leads to the store
     * @param store closed with this one
     */
    public HomesStore(Map<String, String> place, ObjectStore store, Opener opener, Teller teller) {
        this.opener = opener;
        this.teller = teller;
        opened.put(Map.copyOf(place), store);
        this.open = new Open(Homes.of(place), List.of(store));
    }

    /** Returns the present homes. */
    public Homes homes() {
        return open.homes();
    }

    /** Returns the store of the first place. */
    public ObjectStore first() {
        return open.first();
    }

    /** Returns the stores of the other places. */
    public List<ObjectStore> others() {
        List<ObjectStore> stores = open.stores();
        return stores.subList(1, stores.size());
    }

    /** Returns the store of a place, which it opens if need be. */
    public synchronized ObjectStore at(Map<String, String> place) throws IOException {
        if (closed) {
            throw new IOException("the store is closed");
        }
        ObjectStore known = opened.get(place);
        if (known == null) {
            known = opener.open(place);
            opened.put(Map.copyOf(place), known);
        }
        return known;
    }

    /** Takes other homes, unless it has these or newer ones. Requests that are under way go on at their place. */
    public synchronized void take(Homes homes) throws IOException {
        if (homes.number() <= open.homes().number()) {
            return;
        }
        List<ObjectStore> stores = new ArrayList<>();
        for (Map<String, String> place : homes.places()) {
            stores.add(at(place));
        }
        open = new Open(homes, List.copyOf(stores));
    }

    /** Asks for the present homes; returns whether there are newer ones than those that were used. */
    private synchronized boolean hasNewer(Open used) {
        if (open.equals(used)) {
            try {
                Optional<Homes> told = teller.tell();
                if (told.isPresent()) {
                    take(told.get());
                }
            } catch (IOException e) {
                // The caller gets the failure of its read.
                LOG.debug("the places of {} are not known now: {}", location(), e.toString());
            }
        }
        return !open.equals(used);
    }

    private <T> T read(String key, Read<T> read) throws IOException {
        Open used = open;
        try {
            return anywhere(used, key, read);
        } catch (RangeBeyondObjectException e) {
            throw e;
        } catch (IOException e) {
            if (!hasNewer(used)) {
                throw e;
            }
            return anywhere(open, key, read);
        }
    }

    private static <T> T anywhere(Open at, String key, Read<T> read) throws IOException {
        Optional<IOException> failure = Optional.empty();
        for (ObjectStore store : at.order(key)) {
            try {
                return read.from(store);
            } catch (RangeBeyondObjectException e) {
                throw e;
            } catch (IOException e) {
                // The object may be at the place that does not answer.
                boolean tellsMore = failure.isEmpty() || failure.get() instanceof ObjectNotFoundException;
                failure = tellsMore ? Optional.of(e) : failure;
            }
        }
        throw failure.orElseThrow(() -> new IllegalStateException("no places"));
    }

    @Override
    public String location() {
        return first().location();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        first().put(key, file, crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        first().put(key, bytes, condition);
    }

    @Override
    public boolean takesStream(long length) {
        return first().takesStream(length);
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        first().put(key, body, condition);
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return read(key, store -> store.get(key, offset, length));
    }

    @Override
    public int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        int[] starts = into.stream().mapToInt(ByteBuffer::position).toArray();
        return read(key, store -> {
            // A read that failed may have filled a part of them.
            for (int i = 0; i < starts.length; i++) {
                ByteBuffer unused = into.get(i).position(starts[i]);
            }
            return store.get(key, offset, into);
        });
    }

    @Override
    public ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        return read(key, store -> store.getAgain(key, offset, length));
    }

    @Override
    public InputStream open(String key, long offset, int length) throws IOException {
        return read(key, store -> store.open(key, offset, length));
    }

    @Override
    public void download(String key, Path file) throws IOException {
        Path unused = read(key, store -> {
            store.download(key, file);
            return file;
        });
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return read(key, store -> store.getTail(key, length));
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        for (ObjectStore store : open.order(key)) {
            Optional<ObjectInfo> found = store.head(key);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** {@inheritDoc} An object at several places is listed once, as the first of them has it. */
    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        List<ObjectStore> stores = open.stores();
        if (stores.size() == 1) {
            return first().list(prefix, startAfter, limit);
        }
        TreeMap<String, ObjectInfo> all = new TreeMap<>(ObjectKeys.UTF8_ORDER);
        Optional<String> known = Optional.empty();
        for (ObjectStore store : stores) {
            List<ObjectInfo> page = store.list(prefix, startAfter, limit);
            page.forEach(object -> all.putIfAbsent(object.key(), object));
            if (!page.isEmpty()) {
                // Behind the end of a page its store may have more.
                String last = page.get(page.size() - 1).key();
                known = known.filter(before -> ObjectKeys.UTF8_ORDER.compare(before, last) <= 0)
                        .or(() -> Optional.of(last));
            }
        }
        return known.isEmpty()
                ? List.of()
                : all.headMap(known.get(), true).values().stream().limit(limit).toList();
    }

    @Override
    public ByteBuffer getVersion(ObjectVersion object, long offset, int length) throws IOException {
        return first().getVersion(object, offset, length);
    }

    @Override
    public BucketPage listBucket(String bucket, String prefix, Optional<String> page) throws IOException {
        return first().listBucket(bucket, prefix, page);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        for (ObjectStore store : open.stores()) {
            store.delete(keys);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        opened.values().forEach(ObjectStore::close);
        opened.clear();
    }
}
