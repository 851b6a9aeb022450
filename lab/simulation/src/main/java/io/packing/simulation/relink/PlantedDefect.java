// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import java.util.Optional;

/**
 * A defect that the loader plants into production: one call is left out, or made otherwise. A simulation that does not find it is blind
 * there. Most of them were defects of this project once.
 */
public enum PlantedDefect {
    FORGET_BEFORE_COMMIT(
            "the buffer forgets files before the master commits them",
            "worker.pack.MasterSession.beat",
            "heartbeat",
            "forgetFirst"),
    SEGMENT_NOT_SYNCED(
            "a segment's bytes are not forced before its files are acknowledged",
            "worker.buffer.FileSegmentBytes.commit",
            "force"),
    SEGMENT_NAME_NOT_SYNCED(
            "a new segment's name is not forced before its files are acknowledged",
            "worker.buffer.FileSegmentBytes.commit",
            "syncName"),
    FILES_NOT_RECLAIMED(
            "a worker names none of its files in a new session", "worker.pack.MasterSession.reclaimOwed", "reclaim"),
    BLOB_BELIEVED(
            "a worker takes a blob for pushed whose request failed",
            "worker.pack.BlobPusher.push",
            "put",
            "putOrBelieve"),
    RECORD_NOT_CHECKED(
            "a start takes a record whose bytes do not fit their checksum", "worker.buffer.SegmentScan", "crc32c"),
    CLAIM_NOT_AWAITED(
            "a file is closed before the master has its claim",
            "worker.FileAdmission.appended",
            "thenCompose",
            "notAwaited"),
    LOG_NOT_SYNCED("a master answers before its log is forced", "bdt.master.log.FileLog.sync", "force"),
    LOG_NAME_NOT_SYNCED("a new log's name is not forced", "bdt.master.log.FileLog.roll", "sync"),
    TORN_RECORD_KEPT("the torn end of a log stays before later records", "bdt.master.log.FileLog.check", "truncate"),
    STORE_BEFORE_LOG("a batch goes to the table, and not to the log", "bdt.master.log.LocalBatchStore.write", "append"),
    OLD_SESSION_CLAIMS(
            "a claim of an older session of a worker is taken",
            "bdt.master.table.operation.ClaimOperations.claim",
            "checkSession"),
    LEASED_IDS_FORGOTTEN(
            "ids that were given out are not written down",
            "bdt.master.table.operation.SessionOperations.leaseIds",
            "put"),
    IDS_GIVEN_OUT_AGAIN(
            "an older copy of a table gives out the ids of the newer one", "bdt.master.TableStart.jump", "jumpIds"),
    POSITIONS_GIVEN_OUT_AGAIN(
            "an older copy of a table gives out the positions of the newer one",
            "bdt.master.TableStart.jump",
            "jumpPosition"),
    OLDER_COPY_BELIEVED(
            "an older copy of a table is not compared with the store",
            "bdt.master.TableStart.goOn",
            "find",
            "nothingNewer"),
    OWN_EPOCH_UNKNOWN(
            "a master takes an epoch of its own, whose answer was lost, for another master's",
            "bdt.master.cloud.TakeOvers.goOn",
            "map",
            "unknown"),
    SMALL_FILE_NOT_SYNCED("a small file is renamed before it is forced", "durable.DurableFile.write", "force"),
    NAMES_NOT_SYNCED("names in a directory are never forced", "durable.DurableDirectory.sync", "force"),
    LATER_BLOBS_LEFT_OUT(
            "a recovery leaves blobs out that the backup does not know",
            "bdt.master.table.recover.RecoveryMerge",
            "commit");

    private final String description;
    private final String className;
    private final String method;
    private final String called;
    private final Optional<String> substitute;

    PlantedDefect(String description, String place, String called) {
        this(description, place, called, "");
    }

    /**
     * @param place a class below {@code io.packing}, and its method; without one, all of its methods
     * @param substitute the method of {@code Substitutes} that is called instead; empty: none is
     */
    PlantedDefect(String description, String place, String called, String substitute) {
        this.description = description;
        String last = place.substring(place.lastIndexOf('.') + 1);
        boolean all = Character.isUpperCase(last.charAt(0));
        this.method = all ? "" : last;
        this.className = "io.packing." + (all ? place : place.substring(0, place.lastIndexOf('.')));
        this.called = called;
        this.substitute = substitute.isEmpty() ? Optional.empty() : Optional.of(substitute);
    }

    public String description() {
        return description;
    }

    /** Returns the class that has the defect. */
    public String className() {
        return className;
    }

    /** Returns true if the defect is in a method of its class. */
    boolean isIn(String of) {
        return method.isEmpty() || method.equals(of);
    }

    /** Returns the name of the method that is not called. */
    String called() {
        return called;
    }

    Optional<String> substitute() {
        return substitute;
    }
}
