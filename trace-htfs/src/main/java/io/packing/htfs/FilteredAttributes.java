// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.token.Token;

/** The part of {@link TracingFileSystem} for the attributes of files, and for copies. */
public abstract class FilteredAttributes extends FilteredNamespace {
    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return calls.test(
                Call.SET_REPLICATION,
                On.path(f).with("replication=" + replication),
                () -> fs.setReplication(f, replication));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        calls.run(
                Call.SET_PERMISSION,
                On.path(f).with("permission=" + permission),
                () -> fs.setPermission(f, permission));
    }

    @Override
    public void setOwner(Path f, String user, String group) throws IOException {
        calls.run(Call.SET_OWNER, f, () -> fs.setOwner(f, user, group));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        calls.run(Call.SET_TIMES, f, () -> fs.setTimes(f, mtime, atime));
    }

    @Override
    public void setStoragePolicy(Path f, String policy) throws IOException {
        calls.run(Call.SET_STORAGE_POLICY, On.path(f).with("policy=" + policy), () -> fs.setStoragePolicy(f, policy));
    }

    @Override
    public void unsetStoragePolicy(Path f) throws IOException {
        calls.run(Call.UNSET_STORAGE_POLICY, f, () -> fs.unsetStoragePolicy(f));
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path f) throws IOException {
        return calls.call(Call.GET_STORAGE_POLICY, f, () -> fs.getStoragePolicy(f));
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return calls.call(
                Call.GET_STORAGE_POLICY, On.hints("op=getAllStoragePolicies"), () -> fs.getAllStoragePolicies());
    }

    @Override
    public void satisfyStoragePolicy(Path f) throws IOException {
        calls.run(Call.SATISFY_STORAGE_POLICY, f, () -> fs.satisfyStoragePolicy(f));
    }

    @Override
    public void setQuota(Path f, long names, long bytes) throws IOException {
        calls.run(
                Call.SET_QUOTA,
                On.path(f).with("names=" + names + " bytes=" + bytes),
                () -> fs.setQuota(f, names, bytes));
    }

    @Override
    public void setQuotaByStorageType(Path f, StorageType type, long bytes) throws IOException {
        calls.run(
                Call.SET_QUOTA,
                On.path(f).with("type=" + type + " bytes=" + bytes),
                () -> fs.setQuotaByStorageType(f, type, bytes));
    }

    @Override
    public void modifyAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=modifyAclEntries"), () -> fs.modifyAclEntries(f, entries));
    }

    @Override
    public void removeAclEntries(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAclEntries"), () -> fs.removeAclEntries(f, entries));
    }

    @Override
    public void removeDefaultAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeDefaultAcl"), () -> fs.removeDefaultAcl(f));
    }

    @Override
    public void removeAcl(Path f) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=removeAcl"), () -> fs.removeAcl(f));
    }

    @Override
    public void setAcl(Path f, List<AclEntry> entries) throws IOException {
        calls.run(Call.MODIFY_ACL, On.path(f).with("op=setAcl"), () -> fs.setAcl(f, entries));
    }

    @Override
    public AclStatus getAclStatus(Path f) throws IOException {
        return calls.call(Call.GET_ACL, f, () -> fs.getAclStatus(f));
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value) throws IOException {
        calls.run(Call.SET_XATTR, f, () -> fs.setXAttr(f, name, value));
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        calls.run(Call.SET_XATTR, f, () -> fs.setXAttr(f, name, value, flags));
    }

    @Override
    public byte[] getXAttr(Path f, String name) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> fs.getXAttr(f, name), value -> value.length);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> fs.getXAttrs(f), Map::size);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f, List<String> names) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> fs.getXAttrs(f, names), Map::size);
    }

    @Override
    public List<String> listXAttrs(Path f) throws IOException {
        return calls.call(Call.GET_XATTR, f, () -> fs.listXAttrs(f), List::size);
    }

    @Override
    public void removeXAttr(Path f, String name) throws IOException {
        calls.run(Call.REMOVE_XATTR, f, () -> fs.removeXAttr(f, name));
    }

    @Override
    public Path createSnapshot(Path f, String name) throws IOException {
        return calls.call(Call.CREATE_SNAPSHOT, f, () -> fs.createSnapshot(f, name));
    }

    @Override
    public void renameSnapshot(Path f, String from, String to) throws IOException {
        calls.run(Call.RENAME_SNAPSHOT, f, () -> fs.renameSnapshot(f, from, to));
    }

    @Override
    public void deleteSnapshot(Path f, String name) throws IOException {
        calls.run(Call.DELETE_SNAPSHOT, f, () -> fs.deleteSnapshot(f, name));
    }

    @Override
    public void setVerifyChecksum(boolean verify) {
        calls.localRun(Call.SET_VERIFY_CHECKSUM, On.hints("verify=" + verify), () -> fs.setVerifyChecksum(verify));
    }

    @Override
    public void setWriteChecksum(boolean write) {
        calls.localRun(Call.SET_WRITE_CHECKSUM, On.hints("write=" + write), () -> fs.setWriteChecksum(write));
    }

    @Override
    public Token<?> getDelegationToken(String renewer) throws IOException {
        return calls.call(Call.GET_DELEGATION_TOKEN, On.NOTHING, () -> fs.getDelegationToken(renewer));
    }

    @Override
    public void copyFromLocalFile(Path from, Path to) throws IOException {
        calls.run(Call.COPY_FROM_LOCAL, On.path(to), () -> fs.copyFromLocalFile(from, to));
    }

    @Override
    public void copyFromLocalFile(boolean delete, Path from, Path to) throws IOException {
        calls.run(Call.COPY_FROM_LOCAL, On.path(to), () -> fs.copyFromLocalFile(delete, from, to));
    }

    @Override
    public void copyFromLocalFile(boolean delete, boolean overwrite, Path from, Path to) throws IOException {
        calls.run(Call.COPY_FROM_LOCAL, On.path(to), () -> fs.copyFromLocalFile(delete, overwrite, from, to));
    }

    @Override
    public void copyFromLocalFile(boolean delete, boolean overwrite, Path[] from, Path to) throws IOException {
        calls.run(Call.COPY_FROM_LOCAL, On.path(to), () -> fs.copyFromLocalFile(delete, overwrite, from, to));
    }

    @Override
    public void completeLocalOutput(Path to, Path local) throws IOException {
        calls.run(
                Call.COPY_FROM_LOCAL,
                On.path(to).with("op=completeLocalOutput"),
                () -> fs.completeLocalOutput(to, local));
    }

    @Override
    public void copyToLocalFile(Path from, Path to) throws IOException {
        calls.run(Call.COPY_TO_LOCAL, On.path(from), () -> fs.copyToLocalFile(from, to));
    }

    @Override
    public void copyToLocalFile(boolean delete, Path from, Path to) throws IOException {
        calls.run(Call.COPY_TO_LOCAL, On.path(from), () -> fs.copyToLocalFile(delete, from, to));
    }

    @Override
    public void copyToLocalFile(boolean delete, Path from, Path to, boolean raw) throws IOException {
        calls.run(Call.COPY_TO_LOCAL, On.path(from), () -> fs.copyToLocalFile(delete, from, to, raw));
    }
}
