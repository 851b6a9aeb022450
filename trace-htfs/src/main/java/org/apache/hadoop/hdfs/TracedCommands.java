// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.jspecify.annotations.NullMarked;

/** The part of {@link TracingDistributedFileSystem} for administrators: encryption zones and the NameNode. */
@NullMarked
public abstract class TracedCommands extends TracedFeatures {
    // Encryption zones

    @Override
    public void createEncryptionZone(Path f, String key) throws IOException {
        calls.run(
                Call.ENCRYPTION_ZONE,
                On.path(f).with("op=createEncryptionZone"),
                () -> super.createEncryptionZone(f, key));
    }

    @Override
    public EncryptionZone getEZForPath(Path f) throws IOException {
        return calls.call(Call.ENCRYPTION_ZONE, On.path(f).with("op=getEZForPath"), () -> super.getEZForPath(f));
    }

    @Override
    public void reencryptEncryptionZone(Path f, HdfsConstants.ReencryptAction action) throws IOException {
        calls.run(
                Call.ENCRYPTION_ZONE,
                On.path(f).with("op=reencryptEncryptionZone"),
                () -> super.reencryptEncryptionZone(f, action));
    }

    @Override
    public FileEncryptionInfo getFileEncryptionInfo(Path f) throws IOException {
        return calls.call(
                Call.ENCRYPTION_ZONE,
                On.path(f).with("op=getFileEncryptionInfo"),
                () -> super.getFileEncryptionInfo(f));
    }

    @Override
    public void provisionEZTrash(Path f, FsPermission permission) throws IOException {
        calls.run(
                Call.ENCRYPTION_ZONE,
                On.path(f).with("op=provisionEZTrash"),
                () -> super.provisionEZTrash(f, permission));
    }

    @Override
    public Path getEnclosingRoot(Path f) throws IOException {
        return calls.call(
                Call.ENCRYPTION_ZONE, On.path(f).with("op=getEnclosingRoot"), () -> super.getEnclosingRoot(f));
    }

    @Override
    public Path getTrashRoot(Path f) {
        return calls.local(Call.ENCRYPTION_ZONE, On.path(f).with("op=getTrashRoot"), () -> super.getTrashRoot(f));
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
        return calls.local(Call.LIST_STATUS, On.hints("op=getTrashRoots"), () -> super.getTrashRoots(allUsers));
    }

    @Override
    public RemoteIterator<EncryptionZone> listEncryptionZones() throws IOException {
        return calls.call(Call.ENCRYPTION_ZONE, On.hints("op=listEncryptionZones"), () -> super.listEncryptionZones());
    }

    @Override
    public RemoteIterator<ZoneReencryptionStatus> listReencryptionStatus() throws IOException {
        return calls.call(
                Call.ENCRYPTION_ZONE, On.hints("op=listReencryptionStatus"), () -> super.listReencryptionStatus());
    }

    // The NameNode

    @Override
    public boolean setSafeMode(SafeModeAction action) throws IOException {
        return calls.test(Call.SAFE_MODE, On.hints("action=" + action), () -> super.setSafeMode(action));
    }

    @Override
    public boolean setSafeMode(SafeModeAction action, boolean checked) throws IOException {
        return calls.test(Call.SAFE_MODE, On.hints("action=" + action), () -> super.setSafeMode(action, checked));
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action) throws IOException {
        return calls.test(Call.SAFE_MODE, On.hints("action=" + action), () -> super.setSafeMode(action));
    }

    @Override
    public boolean setSafeMode(HdfsConstants.SafeModeAction action, boolean checked) throws IOException {
        return calls.test(Call.SAFE_MODE, On.hints("action=" + action), () -> super.setSafeMode(action, checked));
    }

    @Override
    public boolean isInSafeMode() throws IOException {
        return calls.test(Call.SAFE_MODE, On.hints("action=SAFEMODE_GET"), () -> super.isInSafeMode());
    }

    @Override
    public boolean saveNamespace(long timeWindow, long transactions) throws IOException {
        return calls.test(
                Call.ADMIN_COMMAND, On.hints("op=saveNamespace"), () -> super.saveNamespace(timeWindow, transactions));
    }

    @Override
    public void saveNamespace() throws IOException {
        calls.run(Call.ADMIN_COMMAND, On.hints("op=saveNamespace"), () -> super.saveNamespace());
    }

    @Override
    public long rollEdits() throws IOException {
        return calls.call(Call.ADMIN_COMMAND, On.hints("op=rollEdits"), () -> super.rollEdits());
    }

    @Override
    public boolean restoreFailedStorage(String argument) throws IOException {
        return calls.test(
                Call.ADMIN_COMMAND, On.hints("op=restoreFailedStorage"), () -> super.restoreFailedStorage(argument));
    }

    @Override
    public void refreshNodes() throws IOException {
        calls.run(Call.ADMIN_COMMAND, On.hints("op=refreshNodes"), () -> super.refreshNodes());
    }

    @Override
    public void finalizeUpgrade() throws IOException {
        calls.run(Call.ADMIN_COMMAND, On.hints("op=finalizeUpgrade"), () -> super.finalizeUpgrade());
    }

    @Override
    public boolean upgradeStatus() throws IOException {
        return calls.test(Call.ADMIN_COMMAND, On.hints("op=upgradeStatus"), () -> super.upgradeStatus());
    }

    @Override
    public RollingUpgradeInfo rollingUpgrade(HdfsConstants.RollingUpgradeAction action) throws IOException {
        return calls.call(Call.ADMIN_COMMAND, On.hints("op=rollingUpgrade"), () -> super.rollingUpgrade(action));
    }

    @Override
    public void metaSave(String file) throws IOException {
        calls.run(Call.ADMIN_COMMAND, On.hints("op=metaSave"), () -> super.metaSave(file));
    }

    @Override
    public void setBalancerBandwidth(long bytesPerSecond) throws IOException {
        calls.run(
                Call.ADMIN_COMMAND,
                On.hints("op=setBalancerBandwidth"),
                () -> super.setBalancerBandwidth(bytesPerSecond));
    }

    @Override
    public DatanodeInfo[] getDataNodeStats() throws IOException {
        return calls.call(Call.ADMIN_COMMAND, On.hints("op=getDataNodeStats"), () -> super.getDataNodeStats());
    }

    @Override
    public DatanodeInfo[] getDataNodeStats(HdfsConstants.DatanodeReportType type) throws IOException {
        return calls.call(Call.ADMIN_COMMAND, On.hints("op=getDataNodeStats"), () -> super.getDataNodeStats(type));
    }

    @Override
    public DatanodeInfo[] getSlowDatanodeStats() throws IOException {
        return calls.call(Call.ADMIN_COMMAND, On.hints("op=getSlowDatanodeStats"), () -> super.getSlowDatanodeStats());
    }

    @Override
    public boolean isSnapshotTrashRootEnabled() throws IOException {
        return calls.test(
                Call.ADMIN_COMMAND,
                On.hints("op=isSnapshotTrashRootEnabled"),
                () -> super.isSnapshotTrashRootEnabled());
    }

    @Override
    public long getLowRedundancyBlocksCount() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND,
                On.hints("op=getLowRedundancyBlocksCount"),
                () -> super.getLowRedundancyBlocksCount());
    }

    @Override
    public long getCorruptBlocksCount() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND, On.hints("op=getCorruptBlocksCount"), () -> super.getCorruptBlocksCount());
    }

    @Override
    public long getMissingBlocksCount() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND, On.hints("op=getMissingBlocksCount"), () -> super.getMissingBlocksCount());
    }

    @Override
    public long getMissingReplOneBlocksCount() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND,
                On.hints("op=getMissingReplOneBlocksCount"),
                () -> super.getMissingReplOneBlocksCount());
    }

    @Override
    public long getPendingDeletionBlocksCount() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND,
                On.hints("op=getPendingDeletionBlocksCount"),
                () -> super.getPendingDeletionBlocksCount());
    }

    @Override
    public long getBytesWithFutureGenerationStamps() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND,
                On.hints("op=getBytesWithFutureGenerationStamps"),
                () -> super.getBytesWithFutureGenerationStamps());
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream() throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND, On.hints("op=getInotifyEventStream"), () -> super.getInotifyEventStream());
    }

    @Override
    public DFSInotifyEventInputStream getInotifyEventStream(long lastReadTxid) throws IOException {
        return calls.call(
                Call.ADMIN_COMMAND,
                On.hints("op=getInotifyEventStream"),
                () -> super.getInotifyEventStream(lastReadTxid));
    }
}
