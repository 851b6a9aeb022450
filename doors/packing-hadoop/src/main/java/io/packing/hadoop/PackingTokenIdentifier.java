// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/** The identifier of a BDT master's token, for Hadoop, which finds this class by the kind of the token. */
public final class PackingTokenIdentifier extends TokenIdentifier {
    /** The version from which a token names the user who acts for its user. */
    private static final byte VERSION_WITH_VIA = 2;

    private byte version;
    private byte kind;
    private int keyId;
    private long sequence;
    private long issuedMillis;
    private long endMillis;
    private String user = "";
    private String renewer = "";
    private String via = "";

    @Override
    public Text getKind() {
        return DelegationToken.KIND;
    }

    @Override
    public @Nullable UserGroupInformation getUser() {
        if (user.isEmpty()) {
            return null;
        }
        return via.isEmpty()
                ? UserGroupInformation.createRemoteUser(user)
                : UserGroupInformation.createProxyUser(user, UserGroupInformation.createRemoteUser(via));
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        version = in.readByte();
        kind = in.readByte();
        keyId = in.readInt();
        sequence = in.readLong();
        issuedMillis = in.readLong();
        endMillis = in.readLong();
        user = readName(in);
        renewer = readName(in);
        via = version == VERSION_WITH_VIA ? readName(in) : "";
    }

    private static String readName(DataInput in) throws IOException {
        byte[] name = new byte[in.readUnsignedByte()];
        in.readFully(name);
        return new String(name, StandardCharsets.UTF_8);
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeByte(version);
        out.writeByte(kind);
        out.writeInt(keyId);
        out.writeLong(sequence);
        out.writeLong(issuedMillis);
        out.writeLong(endMillis);
        writeName(out, user);
        writeName(out, renewer);
        if (version == VERSION_WITH_VIA) {
            writeName(out, via);
        }
    }

    private static void writeName(DataOutput out, String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        out.writeByte(bytes.length);
        out.write(bytes);
    }

    @Override
    public String toString() {
        return "token %d of %s%s, renewed by '%s', until %s"
                .formatted(
                        sequence, user, via.isEmpty() ? "" : " via " + via, renewer, Instant.ofEpochMilli(endMillis));
    }
}
