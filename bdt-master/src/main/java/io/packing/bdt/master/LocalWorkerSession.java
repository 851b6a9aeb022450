// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileIds;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.NotedContent;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WantedContent;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A worker's session inside the master's own process. */
final class LocalWorkerSession implements WorkerSession {
    private final Supplier<Mount> mount;
    private final SessionId id;
    private final FileIds ids;
    private final ClaimantRights rights;
    /** The newest position that the table answered. */
    private final AtomicLong newest;

    /** The rights of users for whom it claims files, or asks whether bytes are known. */
    interface ClaimantRights {
        /** Returns what a user may do; empty: the worker itself. */
        Permissions of(Optional<BdtUser> user) throws DeniedException;
    }

    LocalWorkerSession(Supplier<Mount> mount, SessionId id, ClaimantRights rights) {
        this.rights = rights;
        this.mount = mount;
        this.id = id;
        this.newest = new AtomicLong(id.sessionEpoch());
        this.ids = new FileIds(count -> Waiting.on(mount.get().table().leaseIds(id, count)));
    }

    @Override
    public long sessionEpoch() {
        return id.sessionEpoch();
    }

    @Override
    public long newestPosition() {
        return newest.get();
    }

    @Override
    public long newFileId() throws IOException {
        return ids.next();
    }

    @Override
    public CompletableFuture<ClaimResult> claim(Claim claim) {
        Permissions permissions;
        try {
            permissions = rights.of(claim.user());
        } catch (DeniedException e) {
            return CompletableFuture.completedFuture(
                    new ClaimResult.Refused(Outcome.DENIED, String.valueOf(e.getMessage())));
        }
        return mount.get()
                .table()
                .claim(id, List.of(claim), each -> permissions)
                .thenApply(results -> answered(results.get(0)));
    }

    @Override
    public void together(Runnable claims) {
        claims.run();
    }

    private ClaimResult answered(ClaimResult result) {
        if (result instanceof ClaimResult.Granted granted) {
            FileVersion last = granted.appended().orElse(granted.version());
            long unused = newest.accumulateAndGet(last.generation(), Math::max);
        }
        return result;
    }

    @Override
    public List<Boolean> known(List<WantedContent> contents) throws IOException {
        Map<Optional<BdtUser>, Permissions> users = new HashMap<>();
        for (WantedContent each : contents) {
            if (!users.containsKey(each.user())) {
                users.put(each.user(), rights.of(each.user()));
            }
        }
        return mount.get().table().known(id, contents, user -> Objects.requireNonNull(users.get(user)));
    }

    @Override
    public void note(List<NotedContent> contents) throws IOException {
        boolean unused = Waiting.on(mount.get().table().contents().note(id, contents));
    }

    @Override
    public FingerprintPage fingerprints(long list, long after) throws IOException {
        return mount.get().table().contents().fingerprints(id, list, after);
    }

    @Override
    public List<Optional<FileVersion>> reclaim(List<Reclaim> buffered) throws IOException {
        return Waiting.on(mount.get().table().reclaim(id, buffered));
    }

    @Override
    public void reclaimed() throws IOException {
        if (!Waiting.on(mount.get().table().reclaimed(id))) {
            throw new IOException("worker %s: the end of its reclaim was not written".formatted(id.worker()));
        }
    }

    @Override
    public HeartbeatReply heartbeat(Heartbeat heartbeat) throws IOException {
        Mount at = mount.get();
        at.evacuation().admit(id.worker(), heartbeat);
        HeartbeatReply reply = Waiting.on(at.table().heartbeat(id, heartbeat.knowing(newest.get())));
        at.copies().admit(id.worker(), heartbeat);
        return at.copies().tell(id.worker(), at.evacuation().tell(reply));
    }

    @Override
    public void close() {}
}
