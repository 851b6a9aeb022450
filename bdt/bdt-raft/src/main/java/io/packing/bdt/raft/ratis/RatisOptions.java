// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.ratis;

import io.packing.transport.identity.Role;
import io.packing.transport.tls.TlsCredentials;
import io.packing.transport.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * The settings of Ratis.
 *
 * @param directory of its log and votes
 * @param bindHost address on which it listens
 * @param lease of leaders
 * @param entriesPerSnapshot entries after which a member saves its tables and purges the log before
 * @param segmentBytes of a file of the log, which is purged as a whole
 * @param tls empty for plain connections
 */
public record RatisOptions(
        Path directory,
        String bindHost,
        int bindPort,
        Duration lease,
        int entriesPerSnapshot,
        int segmentBytes,
        Optional<TlsFiles> tls) {
    /** The most bytes of an entry: rows of larger batches are cut into parts. */
    public static final int ENTRY_BYTES = 2 << 20;

    private static final SizeInBytes APPEND_BYTES = SizeInBytes.valueOf("8MB");
    private static final SizeInBytes BUFFER_BYTES = SizeInBytes.valueOf("16MB");

    RaftProperties properties() {
        RaftProperties all = new RaftProperties();
        RaftConfigKeys.Rpc.setType(all, new WatchedGrpc());
        GrpcConfigKeys.Server.setHost(all, bindHost);
        GrpcConfigKeys.Server.setPort(all, bindPort);
        RaftServerConfigKeys.setStorageDir(all, List.of(directory.toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(
                all, directory.resolve("removed").toFile());
        // A follower checks whether it heard of the leader after each timeout, so it may notice a loss after two
        // timeouts. A timeout below the lease would cause elections on a busy machine all the time.
        RaftServerConfigKeys.Rpc.setTimeoutMin(all, millis(lease.toMillis()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(all, millis(lease.toMillis() * 13 / 10));
        RaftServerConfigKeys.Rpc.setRequestTimeout(all, millis(2 * lease.toMillis()));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(all, millis(2 * lease.toMillis()));
        // Ratis's pause monitor would close a server after a stop of a minute; here it just catches up.
        RaftServerConfigKeys.setCloseThreshold(all, TimeDuration.valueOf(1, TimeUnit.DAYS));
        RaftServerConfigKeys.Log.setSegmentSizeMax(all, SizeInBytes.valueOf(segmentBytes));
        RaftServerConfigKeys.Log.setPreallocatedSize(all, SizeInBytes.valueOf(Math.min(segmentBytes, 1 << 20)));
        RaftServerConfigKeys.Log.setWriteBufferSize(all, BUFFER_BYTES);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, true);
        RaftServerConfigKeys.Log.setPurgeGap(all, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(all, entriesPerSnapshot);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(all, APPEND_BYTES);
        // A member that is too far behind fetches the tables by itself.
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(all, false);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(all, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(all, entriesPerSnapshot);
        RaftClientConfigKeys.Rpc.setRequestTimeout(all, millis(Math.max(1_000, 2 * lease.toMillis())));
        return all;
    }

    Parameters parameters(Followers followers, WatchedGrpc.Terms terms) {
        Parameters all = new Parameters();
        WatchedGrpc.watch(all, followers, terms);
        tls.ifPresent(files -> GrpcConfigKeys.TLS.setConf(all, mutual(files)));
        return all;
    }

    /** Makes both ends show a certificate of a master. */
    private static GrpcTlsConfig mutual(TlsFiles files) {
        TlsFiles.Own own =
                files.own().orElseThrow(() -> new IllegalArgumentException("a master of a group needs a certificate"));
        return GrpcTlsConfig.newBuilder()
                .setKeyManager(TlsCredentials.keys(own))
                .setTrustManager(TlsCredentials.peers(files, Role.MASTER))
                .setMutualTls(true)
                .setSslProvider(SslProvider.JDK)
                .build();
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
