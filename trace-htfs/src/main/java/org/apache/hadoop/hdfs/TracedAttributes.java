// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.jspecify.annotations.NullMarked;

/**
 * The part of {@link TracingDistributedFileSystem} for the attributes of files: access lists, extended attributes,
 * snapshots and quotas.
 */
@NullMarked
public abstract class TracedAttributes extends TracedNamespace {
    @Override
    public void modifyAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=modifyAclEntries"), () -> super.modifyAclEntries(f, entries));
    }

    @Override
    public void removeAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAclEntries"), () -> super.removeAclEntries(f, entries));
    }

    @Override
    public void removeDefaultAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeDefaultAcl"), () -> super.removeDefaultAcl(f));
    }

    @Override
    public void removeAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAcl"), () -> super.removeAcl(f));
    }

    @Override
    public void setAcl(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=setAcl"), () -> super.setAcl(f, entries));
    }

    @Override
    public AclStatus getAclStatus(Path f) throws IOException {
        return calls.call(Call.GET_ACL, f, () -> super.getAclStatus(f));
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        calls.run(Call.SET_XATTR, f, () -> super.setXAttr(f, name, value, flags));
    }

    @Override
    public byte[] getXAttr(Path f, String name) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> super.getXAttr(f, name), value -> value.length);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> super.getXAttrs(f), Map::size);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f, List<String> names) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> super.getXAttrs(f, names), Map::size);
    }

    @Override
    public List<String> listXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> super.listXAttrs(f), List::size);
    }

    @Override
    public void removeXAttr(Path f, String name) throws IOException {
        calls.run(Call.REMOVE_XATTR, f, () -> super.removeXAttr(f, name));
    }

    @Override
    public void allowSnapshot(Path f) throws IOException {
        calls.run(Call.ALLOW_SNAPSHOT, On.path(f).with("allow=true"), () -> super.allowSnapshot(f));
    }

    @Override
    public void disallowSnapshot(Path f) throws IOException {
        calls.run(Call.ALLOW_SNAPSHOT, On.path(f).with("allow=false"), () -> super.disallowSnapshot(f));
    }

    @Override
    public Path createSnapshot(Path f, String name) throws IOException {
        return calls.call(Call.CREATE_SNAPSHOT, f, () -> super.createSnapshot(f, name));
    }

    @Override
    public void renameSnapshot(Path f, String from, String to) throws IOException {
        calls.run(Call.RENAME_SNAPSHOT, f, () -> super.renameSnapshot(f, from, to));
    }

    @Override
    public void deleteSnapshot(Path f, String name) throws IOException {
        calls.run(Call.DELETE_SNAPSHOT, f, () -> super.deleteSnapshot(f, name));
    }

    @Override
    public SnapshotDiffReport getSnapshotDiffReport(Path f, String from, String to) throws IOException {
        return calls.call(Call.GET_SNAPSHOT_DIFF, f, () -> super.getSnapshotDiffReport(f, from, to));
    }

    @Override
    public SnapshotDiffReportListing getSnapshotDiffReportListing(
            Path f, String from, String to, String startPath, int index) throws IOException {
        return calls.call(
                Call.GET_SNAPSHOT_DIFF, f, () -> super.getSnapshotDiffReportListing(f, from, to, startPath, index));
    }

    @Override
    public RemoteIterator<SnapshotDiffReportListing> snapshotDiffReportListingRemoteIterator(
            Path f, String from, String to) throws IOException {
        return calls.call(Call.GET_SNAPSHOT_DIFF, f, () -> super.snapshotDiffReportListingRemoteIterator(f, from, to));
    }

    @Override
    public SnapshottableDirectoryStatus[] getSnapshottableDirListing() throws IOException {
        return calls.call(
                Call.GET_SNAPSHOT_DIFF,
                On.hints("op=getSnapshottableDirListing"),
                () -> super.getSnapshottableDirListing(),
                all -> all.length);
    }

    @Override
    public Path provisionSnapshotTrash(Path f, FsPermission permission) throws IOException {
        return calls.call(
                Call.ALLOW_SNAPSHOT,
                On.path(f).with("op=provisionSnapshotTrash"),
                () -> super.provisionSnapshotTrash(f, permission));
    }

    @Override
    public void setQuota(Path f, long names, long bytes) throws IOException {
        calls.run(
                Call.SET_QUOTA,
                On.path(f).with("names=" + names + " bytes=" + bytes),
                () -> super.setQuota(f, names, bytes));
    }

    @Override
    public void setQuotaByStorageType(Path f, StorageType type, long bytes) throws IOException {
        calls.run(
                Call.SET_QUOTA,
                On.path(f).with("type=" + type + " bytes=" + bytes),
                () -> super.setQuotaByStorageType(f, type, bytes));
    }
}
