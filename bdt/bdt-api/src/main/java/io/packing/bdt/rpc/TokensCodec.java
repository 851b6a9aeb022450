// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.protobuf.ByteString;
import io.packing.bdt.MasterGroupKeys;
import io.packing.transport.token.KeyRing;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** The translation of keys of tokens to messages and back. */
public final class TokensCodec {
    private TokensCodec() {}

    public static TokenKeysReply encode(KeyRing ring) {
        return message(ring).build();
    }

    private static TokenKeysReply.Builder message(KeyRing ring) {
        TokenKeysReply.Builder reply = TokenKeysReply.newBuilder().addAllRefused(ring.refused());
        ring.keys().forEach((id, key) -> {
            TokenKeysReply.Key.Builder message =
                    reply.addKeysBuilder().setId(id).setPublicKey(ByteString.copyFrom(key.getEncoded()));
            KeyRing.Heard heard = ring.heard().get(id);
            if (heard != null) {
                message.setHeardMillis(heard.at().toEpochMilli())
                        .setRenewalMillis(heard.renewal().toMillis());
            }
        });
        return reply;
    }

    public static KeyRing decode(TokenKeysReply reply) {
        Map<Integer, PublicKey> keys = new HashMap<>();
        Map<Integer, KeyRing.Heard> heard = new HashMap<>();
        for (TokenKeysReply.Key key : reply.getKeysList()) {
            keys.put(key.getId(), KeyRing.publicKey(key.getPublicKey().toByteArray()));
            if (key.getHeardMillis() != 0) {
                heard.put(
                        key.getId(),
                        new KeyRing.Heard(
                                Instant.ofEpochMilli(key.getHeardMillis()), Duration.ofMillis(key.getRenewalMillis())));
            }
        }
        return new KeyRing(keys, new HashSet<>(reply.getRefusedList()), heard);
    }

    public static TokenKeysReply encode(MasterGroupKeys said) {
        OwnTokens.Builder own = OwnTokens.newBuilder()
                .setGroup(said.group())
                .setNowMillis(said.now().toEpochMilli())
                .setLifeMillis(said.life().toMillis())
                .setRenewalMillis(said.renewal().toMillis());
        said.renewedUntil()
                .forEach((sequence, until) -> own.addSequences(sequence).addRenewedUntilMillis(until.toEpochMilli()));
        return message(said.ring()).setOwn(own).build();
    }

    /**
     * Decodes the keys and tokens that a group issues.
     *
     * @throws IllegalArgumentException when the reply does not have them
     */
    public static MasterGroupKeys decodeOwn(TokenKeysReply reply) {
        OwnTokens own = reply.getOwn();
        if (!reply.hasOwn() || own.getSequencesCount() != own.getRenewedUntilMillisCount()) {
            throw new IllegalArgumentException(
                    "the master does not say which tokens it has issued; all groups need one version of this software");
        }
        Map<Long, Instant> renewedUntil = new HashMap<>();
        for (int i = 0; i < own.getSequencesCount(); i++) {
            renewedUntil.put(own.getSequences(i), Instant.ofEpochMilli(own.getRenewedUntilMillis(i)));
        }
        return new MasterGroupKeys(
                own.getGroup(),
                Instant.ofEpochMilli(own.getNowMillis()),
                Duration.ofMillis(own.getLifeMillis()),
                Duration.ofMillis(own.getRenewalMillis()),
                decode(reply),
                renewedUntil);
    }
}
