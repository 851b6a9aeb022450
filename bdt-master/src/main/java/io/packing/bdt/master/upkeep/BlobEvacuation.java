// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.Evacuation;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.MountHomes;
import io.packing.bdt.master.cloud.MountPlaces;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ParallelCalls;
import io.packing.bdt.master.cloud.Uploader;
import io.packing.bdt.master.table.BlobPlaces;
import io.packing.bdt.master.table.Table;
import io.packing.blob.BlobName;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copying of a mount's blobs to its first place (RFC 0023). It passes the keys of the place of before twice and copies the blobs that the
 * first one lacks. Before the last pass all workers push to the first place; after it the first place gets backups of its own. What is copied
 * stands in the stores only, so a master that died goes on with a pass. Stepped by one thread; asked by any.
 */
public final class BlobEvacuation implements BlobPlaces {
    private static final Logger LOG = LoggerFactory.getLogger(BlobEvacuation.class);
    private static final int PAGE = 1_000;
    private static final int PARALLEL = 8;
    /** A push that was under way when its worker learned of the first place has ended after so long, or is noticed at its commit. */
    static final Duration SETTLED = Duration.ofSeconds(5);

    private final String mount;
    private final MountPlaces places;
    private final Table table;
    private final Uploader uploader;
    private final BlobCopier copier;
    private final LongSupplier nanoClock;
    private final Deque<ObjectInfo> todo = new ArrayDeque<>();
    private final String from;
    private String cursor = "";
    private boolean passing;
    /** True after the first pass, until the last one begins. */
    private boolean waiting;

    private long found;
    private long copiedInPass;
    private long notBefore;
    private Optional<Long> knownSince = Optional.empty();
    private long copiedBytes;
    private volatile Optional<Evacuation> progress = Optional.empty();

    BlobEvacuation(MountStorage storage, Uploader uploader, LongSupplier nanoClock) {
        this.mount = storage.mount();
        this.places = storage.places();
        this.table = storage.table();
        this.uploader = uploader;
        this.copier = new BlobCopier(storage.scratch(), storage.keys().keystore(), uploader.disk());
        this.nanoClock = nanoClock;
        this.notBefore = nanoClock.getAsLong();
        List<ObjectStore> others = places.objects().others();
        this.from = others.isEmpty() ? "" : others.get(0).location();
        if (places.isEvacuating()) {
            note(0, 0, false);
        }
    }

    /** Returns the evacuation that is under way, or has ended since the mount was opened. */
    public Optional<Evacuation> progress() {
        return progress;
    }

    /** Returns whether no blob may be deleted, since it may be copied at this moment. */
    boolean isUnderWay() {
        return places.isEvacuating();
    }

    @Override
    public void admit(String worker, Heartbeat heartbeat) throws IOException {
        places.admit(worker, heartbeat, copier::copy);
    }

    @Override
    public HeartbeatReply tell(HeartbeatReply reply) {
        return places.tell(reply);
    }

    @Override
    public MountHomes homes() {
        return places.told();
    }

    /** Does a bounded piece; returns whether there was any. */
    boolean step() throws IOException {
        long now = nanoClock.getAsLong();
        if (!places.isEvacuating() || now - notBefore < 0) {
            return false;
        }
        if (!todo.isEmpty()) {
            copySome(now);
            return true;
        }
        if (waiting && !close(now)) {
            return false;
        }
        if (!passing) {
            passing = true;
            cursor = "";
            found = 0;
            copiedInPass = 0;
        }
        return listPage() || endPass();
    }

    /** Finds the blobs of a page of keys that the first place lacks; returns false behind the last page. */
    private boolean listPage() throws IOException {
        // Not with each copy: a copy by a master that lost the mount does no harm.
        uploader.checkOwner();
        List<ObjectInfo> page = before().list(BlobName.FOLDER, cursor, PAGE);
        if (page.isEmpty()) {
            return false;
        }
        String last = page.get(page.size() - 1).key();
        Map<String, Long> there = new HashMap<>();
        String after = cursor;
        while (true) {
            List<ObjectInfo> has = places.objects().first().list(BlobName.FOLDER, after, PAGE);
            has.forEach(object -> there.put(object.key(), object.length()));
            if (has.isEmpty() || last.compareTo(has.get(has.size() - 1).key()) <= 0) {
                break;
            }
            after = has.get(has.size() - 1).key();
        }
        for (ObjectInfo blob : page) {
            if (there.getOrDefault(blob.key(), -1L) != blob.length()) {
                todo.add(blob);
            }
        }
        found += page.size();
        cursor = last;
        note(found, found - todo.size(), false);
        return true;
    }

    private ObjectStore before() {
        return places.objects().others().get(0);
    }

    private void copySome(long now) throws IOException {
        List<ObjectInfo> some = new ArrayList<>();
        while (some.size() < PARALLEL && !todo.isEmpty()) {
            some.add(todo.remove());
        }
        long bytes = 0;
        try {
            copy(some);
        } catch (IOException | RuntimeException e) {
            // They are copied again: a pass must not end without them.
            some.forEach(todo::addFirst);
            throw e;
        }
        for (ObjectInfo blob : some) {
            bytes += blob.length();
        }
        copiedInPass += some.size();
        copiedBytes += bytes;
        long rate = places.record().bytesPerSecond();
        if (rate > 0) {
            notBefore = now + (long) ((double) bytes / rate * 1e9);
        }
        note(found, found - todo.size(), false);
    }

    private void copy(List<ObjectInfo> blobs) throws IOException {
        List<Callable<ObjectInfo>> copies = new ArrayList<>();
        for (ObjectInfo blob : blobs) {
            copies.add(() -> copy(blob));
        }
        List<ObjectInfo> unused = ParallelCalls.run(PARALLEL, copies);
    }

    private ObjectInfo copy(ObjectInfo blob) throws IOException {
        try {
            copier.copy(before(), places.objects().first(), blob);
        } catch (ObjectNotFoundException e) {
            LOG.info("mount {}: {} is not copied, since it is gone", mount, blob.key());
        }
        return blob;
    }

    private boolean endPass() throws IOException {
        passing = false;
        LOG.info(
                "mount {}: {} of {} blobs were copied to {}",
                mount,
                copiedInPass,
                found,
                places.objects().location());
        if (!places.isClosing()) {
            waiting = true;
            return true;
        }
        if (uploader.isHeldBack()) {
            throw new IOException("the first place has no backup of its own while backups wait for an operator");
        }
        uploader.coverAnew();
        uploader.checkOwner();
        places.arrive();
        note(found, found, true);
        LOG.info(
                "mount {}: its {} blobs are at {}; nothing is at {} that it needs",
                mount,
                found,
                places.objects().location(),
                from);
        return true;
    }

    /** Begins the last pass when no worker pushes to the place of before any more; returns whether it has begun. */
    private boolean close(long now) {
        if (!places.areKnownTo(table.workers())) {
            knownSince = Optional.empty();
        } else if (knownSince.isEmpty()) {
            knownSince = Optional.of(now);
        }
        if (knownSince.isEmpty() || now - knownSince.get() < SETTLED.toNanos()) {
            return false;
        }
        places.close();
        waiting = false;
        return true;
    }

    private void note(long blobs, long copied, boolean done) {
        progress = Optional.of(
                new Evacuation(from, places.objects().first().location(), blobs, copied, copiedBytes, "", done));
    }
}
