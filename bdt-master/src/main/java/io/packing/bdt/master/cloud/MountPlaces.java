// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.MountHomes;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.BlobName;
import io.packing.store.HomesStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The places of an open mount's objects, and what its workers know of them. A blob that a worker pushed to the place of before is brought
 * to the first one before the table names it. Thread-safe.
 */
public final class MountPlaces {
    private static final Logger LOG = LoggerFactory.getLogger(MountPlaces.class);

    /** A copy of one blob between stores. */
    public interface BlobCopy {
        void copy(ObjectStore from, ObjectStore to, ObjectInfo blob) throws IOException;
    }

    private final HomesStore objects;
    private final Map<String, Long> known = new ConcurrentHashMap<>();
    private volatile HomesRecord record;
    private volatile boolean closing;

    /** @param objects that has taken the homes of the record */
    public MountPlaces(HomesStore objects, HomesRecord record) {
        this.objects = objects;
        this.record = record;
    }

    /** Makes those of a mount with one store. */
    public static MountPlaces one(ObjectStore objects) {
        Map<String, String> place = Map.of("packing.store", objects.location());
        HomesStore store = new HomesStore(
                place,
                objects,
                other -> {
                    throw new IOException("%s is not the store of this mount".formatted(other));
                },
                HomesStore.Teller.NONE);
        return new MountPlaces(store, HomesRecord.first(objects.location(), place, objects.location()));
    }

    public HomesStore objects() {
        return objects;
    }

    public HomesRecord record() {
        return record;
    }

    /** Returns whether the blobs are at two places. */
    public boolean isEvacuating() {
        return record.isEvacuating();
    }

    /** Returns the places as clients receive them. */
    public MountHomes told() {
        return record.told();
    }

    /** Returns whether all these workers push to the first place, as far as they have said. */
    public boolean areKnownTo(Collection<WorkerInfo> workers) {
        long least = record.firstNumber();
        return workers.stream().allMatch(worker -> known.getOrDefault(worker.worker(), 0L) >= least);
    }

    /** From now on no blob is committed that the first place lacks: the last look at the place of before follows. */
    public void close() {
        closing = true;
    }

    public boolean isClosing() {
        return closing;
    }

    /** Writes down that the first place has all blobs, and uses no other from now on. */
    public void arrive() throws IOException {
        HomesRecord next = record.arrived();
        next.write(objects.first());
        record = next;
        objects.take(next.homes());
    }

    /** Returns a reply with the number of the present places. */
    public HeartbeatReply tell(HeartbeatReply reply) {
        return reply.at(record.number());
    }

    /**
     * Makes sure that the first place has the blobs of a heartbeat, when they may be at the place of before and are not copied from there any more.
     *
     * @throws UnavailableException when a blob is at no place that answers; the worker keeps its bytes, and sends the heartbeat again
     */
    public void admit(String worker, Heartbeat heartbeat, BlobCopy copy) throws IOException {
        HomesRecord now = record;
        if (now.number() == 0) {
            return;
        }
        if (!now.isEvacuating() || closing) {
            for (PushedBlob blob : late(now, heartbeat)) {
                bring(now, blob, copy);
            }
        }
        // After that: a worker that is known to push to the first place has no blob on its way to the other.
        known.put(worker, heartbeat.homes());
    }

    private static List<PushedBlob> late(HomesRecord now, Heartbeat heartbeat) {
        if (heartbeat.homes() < now.firstNumber()) {
            return heartbeat.blobs();
        }
        List<PushedBlob> late = new ArrayList<>();
        for (PushedBlob blob : heartbeat.blobs()) {
            if (blob.name().timestampMicros() < heartbeat.homesSinceMicros()) {
                late.add(blob);
            }
        }
        return late;
    }

    private void bring(HomesRecord now, PushedBlob blob, BlobCopy copy) throws IOException {
        String key = BlobName.FOLDER + blob.name().key();
        if (objects.first().head(key).isPresent()) {
            return;
        }
        Optional<Map<String, String>> place =
                now.isEvacuating() ? Optional.of(now.places().get(1)) : now.former();
        String where = place.map(each -> each.getOrDefault("packing.store", "")).orElse("no place");
        try {
            if (place.isPresent()) {
                ObjectStore before = objects.at(place.get());
                Optional<ObjectInfo> there = before.head(key);
                if (there.isPresent()) {
                    copy.copy(before, objects.first(), there.get());
                    LOG.info("{} was pushed to {} late, and is at {} now", key, where, objects.location());
                    return;
                }
            }
        } catch (IOException e) {
            throw new UnavailableException(
                    "%s may be at %s, from which the mount was evacuated to %s, and that store does not answer: %s"
                            .formatted(key, where, objects.location(), e.getMessage()),
                    e);
        }
        throw new UnavailableException("%s is neither at %s, nor at %s, from which the mount was evacuated"
                .formatted(key, objects.location(), where));
    }
}
