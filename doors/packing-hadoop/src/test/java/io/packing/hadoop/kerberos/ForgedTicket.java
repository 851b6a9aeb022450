// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.kerberos;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoField;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.common.EncryptionUtil;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.ap.ApOptions;
import org.apache.kerby.kerberos.kerb.type.ap.ApReq;
import org.apache.kerby.kerberos.kerb.type.ap.Authenticator;
import org.apache.kerby.kerberos.kerb.type.base.CheckSum;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionKey;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.KeyUsage;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.apache.kerby.kerberos.kerb.type.base.TransitedEncoding;
import org.apache.kerby.kerberos.kerb.type.base.TransitedEncodingType;
import org.apache.kerby.kerberos.kerb.type.ticket.EncTicketPart;
import org.apache.kerby.kerberos.kerb.type.ticket.Ticket;
import org.apache.kerby.kerberos.kerb.type.ticket.TicketFlags;

/**
 * A ticket of any client, of any time, which only a KDC can make, with a key of the service.
 *
 * @param client the user of the ticket
 * @param realm of the client
 * @param sealedBy the principal of the keytab whose key encrypts it
 * @param start of its life
 * @param end of its life
 * @param sent when the client says that it sends it
 */
public record ForgedTicket(String client, String realm, String sealedBy, Instant start, Instant end, Instant sent) {
    private static final EncryptionType TYPE = EncryptionType.AES128_CTS_HMAC_SHA1_96;
    /**
     * The checksum of RFC 4121 section 4.1.1: the length of no channel binding, 16 zeros, the flags of integrity and
     * confidentiality.
     */
    private static final int GSS_CHECKSUM = 0x8003;

    private static final byte[] MECHANISM = {
        0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x12, 1, 2, 2
    };

    public static ForgedTicket valid(String client, Instant now) {
        return new ForgedTicket(
                client, TestKdc.REALM, KerberizedMount.SERVICE, now.minusSeconds(60), now.plusSeconds(3_600), now);
    }

    ForgedTicket ofRealm(String other) {
        return new ForgedTicket(client, other, sealedBy, start, end, sent);
    }

    ForgedTicket sealedBy(String other) {
        return new ForgedTicket(client, realm, other, start, end, sent);
    }

    ForgedTicket living(Instant from, Instant to) {
        return new ForgedTicket(client, realm, sealedBy, from, to, sent);
    }

    public ForgedTicket sentAt(Instant time) {
        return new ForgedTicket(client, realm, sealedBy, start, end, time);
    }

    /** Returns the first message of a GSS-API context, for {@link KerberizedMount#SERVICE}. */
    public byte[] message(Path keytab) throws IOException {
        try {
            EncryptionKey session = EncryptionHandler.random2Key(TYPE);
            ApReq request = new ApReq();
            request.setApOptions(new ApOptions());
            request.setTicket(ticket(keytab, session));
            request.setEncryptedAuthenticator(EncryptionUtil.seal(authenticator(), session, KeyUsage.AP_REQ_AUTH));
            return framed(request.encode());
        } catch (KrbException e) {
            throw new IOException(e);
        }
    }

    private Ticket ticket(Path keytab, EncryptionKey session) throws IOException, KrbException {
        EncTicketPart part = new EncTicketPart();
        part.setFlags(new TicketFlags(0));
        part.setKey(session);
        part.setCrealm(realm);
        part.setCname(new PrincipalName(client));
        TransitedEncoding transited = new TransitedEncoding();
        transited.setTrType(TransitedEncodingType.DOMAIN_X500_COMPRESS);
        transited.setContents(new byte[0]);
        part.setTransited(transited);
        part.setAuthTime(time(start));
        part.setStartTime(time(start));
        part.setEndTime(time(end));
        EncryptionKey key =
                Keytab.loadKeytab(keytab.toFile()).getKey(new PrincipalName(sealedBy + "@" + TestKdc.REALM), TYPE);
        Ticket ticket = new Ticket();
        ticket.setRealm(TestKdc.REALM);
        ticket.setSname(new PrincipalName(KerberizedMount.SERVICE));
        ticket.setEncryptedEncPart(EncryptionUtil.seal(part, key, KeyUsage.KDC_REP_TICKET));
        return ticket;
    }

    private Authenticator authenticator() {
        Authenticator by = new Authenticator();
        by.setAuthenticatorVno(5);
        by.setCrealm(realm);
        by.setCname(new PrincipalName(client));
        by.setCtime(time(sent));
        by.setCusec(sent.get(ChronoField.MICRO_OF_SECOND));
        byte[] checksum = new byte[24];
        checksum[0] = 16;
        checksum[20] = 0x30;
        by.setCksum(new CheckSum(GSS_CHECKSUM, checksum));
        return by;
    }

    private static KerberosTime time(Instant at) {
        return new KerberosTime(at.toEpochMilli());
    }

    /** As RFC 2743 section 3.1 frames it: the mechanism, and that it is an AP-REQ. */
    private static byte[] framed(byte[] request) {
        int length = MECHANISM.length + 2 + request.length;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(0x60);
        all.write(0x82);
        all.write(length >> 8);
        all.write(length);
        all.writeBytes(MECHANISM);
        all.write(1);
        all.write(0);
        all.writeBytes(request);
        return all.toByteArray();
    }
}
