// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.UnavailableException;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The epochs of a mount in its backing store: an object for each, made once and then written by its holder only. */
record LeaseEpochs(ObjectStore objects) {
    private static final String PREFIX = MasterObject.FOLDER + "epoch-";
    private static final int PAGE = 1_000;
    /** More than a holder ever writes. */
    private static final int MOST_BYTES = 16 << 10;

    /** The content of an epoch's object. */
    record Found(long leaseEpoch, Optional<LeaseHolder> holder) {
        /** Returns the holder's description, for operators. */
        String who() {
            return holder.map(LeaseHolder::toString).orElse("a BDT master of an older version, which left no address")
                    + ", epoch " + leaseEpoch;
        }
    }

    /** The newest epoch that is at least this one; 0 when there is none. */
    long newestFrom(long least) throws IOException {
        long newest = 0;
        String after = least <= 1 ? "" : MasterObject.epoch(least - 1).key();
        for (List<ObjectInfo> page = objects.list(PREFIX, after, PAGE);
                !page.isEmpty();
                page = objects.list(PREFIX, after, PAGE)) {
            for (ObjectInfo object : page) {
                newest = Math.max(
                        newest,
                        MasterObject.parse(object.key()).map(MasterObject::last).orElse(0L));
            }
            after = page.get(page.size() - 1).key();
        }
        return newest;
    }

    /** Empty when there is no such epoch. */
    Optional<Found> read(long epoch) throws IOException {
        try {
            ByteBuffer text = objects.getTail(MasterObject.epoch(epoch).key(), MOST_BYTES);
            byte[] bytes = new byte[text.remaining()];
            text.get(bytes);
            return Optional.of(new Found(epoch, LeaseHolder.decode(bytes)));
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Makes an epoch: from now on the masters before find it and stop. */
    void take(long epoch, LeaseHolder holder) throws IOException {
        try {
            put(epoch, holder, PutCondition.IF_ABSENT);
        } catch (PreconditionFailedException e) {
            throw new UnavailableException(
                    "%s: another master takes epoch %d at this moment; try again".formatted(objects.location(), epoch),
                    e);
        }
    }

    /** Writes one's own epoch again. */
    void write(long epoch, LeaseHolder holder) throws IOException {
        put(epoch, holder, PutCondition.NONE);
    }

    /**
     * Asks a holder for a sign of life. Looking is cheaper than writing, so a holder renews its lease only when another master
     * waits for it to end and asks.
     */
    void ask(long epoch, LeaseHolder seen) throws IOException {
        objects.put(questionKey(epoch), ByteBuffer.wrap(seen.question()), PutCondition.NONE);
    }

    /** Returns whether another master waits for a sign of life after this one. */
    boolean isAsked(long epoch, LeaseHolder last) throws IOException {
        try {
            return objects.getTail(questionKey(epoch), MOST_BYTES).equals(ByteBuffer.wrap(last.question()));
        } catch (ObjectNotFoundException e) {
            return false;
        }
    }

    private static String questionKey(long epoch) {
        return "%squestion-%019d".formatted(MasterObject.FOLDER, epoch);
    }

    private void put(long epoch, LeaseHolder holder, PutCondition condition) throws IOException {
        objects.put(MasterObject.epoch(epoch).key(), ByteBuffer.wrap(holder.encode()), condition);
    }
}
