// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** Bytes like a Kerberos login and a keytab, so that hostile logins reach the JVM's parser. */
final class TicketFrames {
    static final String REALM = "EXAMPLE.COM";
    static final String PRINCIPAL = "packing/127.0.0.1@" + REALM;

    /** The mechanism, the mark of an AP-REQ, and AP-REQs with an empty ticket, false lengths, or a missing part. */
    static final List<Object> ALL = List.of(
            frame("6e0a3008a003020105a10302010e"),
            frame("6e8230818230818202"),
            frame("6e7f307da003020105a10302010ea20703050000000000a36f616d"),
            frame("6e24302f"),
            frame("30".repeat(2_000)),
            frame("6e80".repeat(1_000)),
            frame("6e847fffffff30847fffffff"),
            frame(""),
            ByteString.copyFromUtf8("NTLMSSP\0"));

    private TicketFrames() {}

    private static ByteString frame(String request) {
        String body = "06092a864886f71201020201 00".replace(" ", "") + request;
        int length = body.length() / 2;
        return ByteString.copyFrom(HexFormat.of().parseHex("6082%04x%s".formatted(length, body)));
    }

    /** Writes a keytab of the principal, with a published key: MIT's format 0x0502. */
    static Path keytab(Path file) throws IOException {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(entry);
        String[] parts = PRINCIPAL.substring(0, PRINCIPAL.indexOf('@')).split("/", -1);
        out.writeShort(parts.length);
        counted(out, REALM.getBytes(StandardCharsets.UTF_8));
        for (String part : parts) {
            counted(out, part.getBytes(StandardCharsets.UTF_8));
        }
        // The type of the name, a time, and the key's version.
        out.writeInt(1);
        out.writeInt(0);
        out.writeByte(1);
        // AES with 128 bits.
        out.writeShort(17);
        counted(out, new byte[16]);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream whole = new DataOutputStream(all);
        whole.writeShort(0x0502);
        whole.writeInt(entry.size());
        whole.write(entry.toByteArray());
        return Files.write(file, all.toByteArray());
    }

    private static void counted(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeShort(bytes.length);
        out.write(bytes);
    }
}
