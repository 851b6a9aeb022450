// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The first part of a connection: a fixed newstyle negotiation of options. Confined to the connection's thread. */
final class Handshake {
    /** The most bytes of one option: a name and many queries. */
    private static final int MOST_DATA = 64 << 10;
    /** The most bytes that the server skips for an option that is too large. */
    private static final int MOST_SKIPPED = 1 << 20;
    /** The most options of a client: one that goes on for ever has no device in mind. */
    private static final int MOST_OPTIONS = 1_000;

    private final NbdExports exports;
    private final Optional<SSLContext> tls;
    private ClientStreams streams;
    private boolean noZeroes;
    private boolean structured;
    private boolean secure;
    /** The name for which the client chose the context; empty: it chose none. */
    private Optional<String> allocationOf = Optional.empty();

    /** @param tls what each client must begin; empty: none can */
    Handshake(ClientStreams streams, NbdExports exports, Optional<SSLContext> tls) {
        this.streams = streams;
        this.exports = exports;
        this.tls = tls;
    }

    /**
     * Negotiates with the client.
     *
     * @return empty when the client ends the connection, or has broken the protocol so that no reply is possible
     */
    Optional<NbdSession> negotiate() throws IOException {
        streams.out().writeLong(NbdNumbers.INIT_MAGIC);
        streams.out().writeLong(NbdNumbers.OPTION_MAGIC);
        streams.out().writeShort(NbdNumbers.FIXED_NEWSTYLE | NbdNumbers.NO_ZEROES);
        streams.out().flush();
        int flags = streams.in().readInt();
        if ((flags & ~(NbdNumbers.FIXED_NEWSTYLE | NbdNumbers.NO_ZEROES)) != 0) {
            return Optional.empty();
        }
        noZeroes = (flags & NbdNumbers.NO_ZEROES) != 0;
        for (int i = 0; i < MOST_OPTIONS; i++) {
            if (streams.in().readLong() != NbdNumbers.OPTION_MAGIC) {
                return Optional.empty();
            }
            int option = streams.in().readInt();
            int length = streams.in().readInt();
            if (length < 0 || length > MOST_SKIPPED) {
                return Optional.empty();
            }
            byte[] data = new byte[Math.min(length, MOST_DATA)];
            streams.in().readFully(data);
            if (length > MOST_DATA) {
                streams.in().skipNBytes(length - MOST_DATA);
            }
            if (option == NbdNumbers.OPT_EXPORT_NAME) {
                // This option has no reply for errors: the connection ends.
                return length > MOST_DATA || needsTls() ? Optional.empty() : exportName(new OptionData(data));
            }
            if (option == NbdNumbers.OPT_ABORT) {
                reply(option, NbdNumbers.REP_ACK);
                return Optional.empty();
            }
            Optional<NbdSession> begun = Optional.empty();
            if (length > MOST_DATA) {
                error(option, NbdNumbers.REP_ERR_TOO_BIG, "%,d bytes; at most %,d".formatted(length, MOST_DATA));
            } else {
                begun = answer(option, data);
            }
            if (begun.isPresent()) {
                return begun;
            }
        }
        return Optional.empty();
    }

    private boolean needsTls() {
        return tls.isPresent() && !secure;
    }

    private Optional<NbdSession> answer(int option, byte[] data) throws IOException {
        if (needsTls() && option != NbdNumbers.OPT_STARTTLS) {
            error(option, NbdNumbers.REP_ERR_TLS_REQD, "this server speaks TLS only");
            return Optional.empty();
        }
        OptionData read = new OptionData(data);
        try {
            switch (option) {
                case NbdNumbers.OPT_STARTTLS -> startTls(read);
                case NbdNumbers.OPT_LIST -> list(read);
                case NbdNumbers.OPT_STRUCTURED_REPLY -> {
                    read.end();
                    structured = true;
                    reply(option, NbdNumbers.REP_ACK);
                }
                case NbdNumbers.OPT_LIST_META_CONTEXT, NbdNumbers.OPT_SET_META_CONTEXT -> contexts(option, read);
                case NbdNumbers.OPT_INFO, NbdNumbers.OPT_GO -> {
                    return info(option, read);
                }
                default -> error(option, NbdNumbers.REP_ERR_UNSUP, "not known to this server");
            }
        } catch (OptionData.MalformedException e) {
            error(option, NbdNumbers.REP_ERR_INVALID, String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private Optional<NbdSession> exportName(OptionData data) throws IOException {
        String name;
        try {
            name = data.text();
        } catch (OptionData.MalformedException e) {
            return Optional.empty();
        }
        Optional<NbdDevice> device = exports.find(name);
        if (device.isPresent()) {
            streams.out().writeLong(device.get().size());
            streams.out().writeShort(NbdSession.flags(device.get(), structured));
            streams.out().write(new byte[noZeroes ? 0 : 124]);
            streams.out().flush();
        }
        return device.map(found -> session(found, name));
    }

    private NbdSession session(NbdDevice device, String name) {
        return new NbdSession(
                streams, device, structured, allocationOf.filter(name::equals).isPresent());
    }

    private void startTls(OptionData data) throws IOException, OptionData.MalformedException {
        data.end();
        if (tls.isEmpty()) {
            error(NbdNumbers.OPT_STARTTLS, NbdNumbers.REP_ERR_POLICY, "this server has no certificate");
            return;
        }
        if (secure) {
            throw new OptionData.MalformedException("TLS has begun already");
        }
        reply(NbdNumbers.OPT_STARTTLS, NbdNumbers.REP_ACK);
        SSLSocket wrapped = (SSLSocket) tls.get()
                .getSocketFactory()
                .createSocket(
                        streams.socket(),
                        streams.socket().getInetAddress().getHostAddress(),
                        streams.socket().getPort(),
                        true);
        wrapped.setUseClientMode(false);
        wrapped.startHandshake();
        streams = ClientStreams.of(wrapped);
        secure = true;
        // What was agreed in the open may be another's word.
        structured = false;
        allocationOf = Optional.empty();
    }

    private void list(OptionData data) throws IOException, OptionData.MalformedException {
        data.end();
        for (String name : exports.names()) {
            byte[] text = name.getBytes(UTF_8);
            reply(
                    NbdNumbers.OPT_LIST,
                    NbdNumbers.REP_SERVER,
                    ByteBuffer.allocate(Integer.BYTES + text.length)
                            .putInt(text.length)
                            .put(text)
                            .array());
        }
        reply(NbdNumbers.OPT_LIST, NbdNumbers.REP_ACK);
    }

    private void contexts(int option, OptionData data) throws IOException, OptionData.MalformedException {
        String name = data.countedText();
        List<String> queries = data.texts();
        data.end();
        boolean isSet = option == NbdNumbers.OPT_SET_META_CONTEXT;
        if (isSet) {
            allocationOf = Optional.empty();
        }
        if (!structured) {
            throw new OptionData.MalformedException("contexts need structured replies");
        }
        if (exports.find(name).isEmpty()) {
            error(option, NbdNumbers.REP_ERR_UNKNOWN, "no export has this name");
            return;
        }
        boolean asksForAll = !isSet && (queries.isEmpty() || queries.contains("base:"));
        boolean found = asksForAll || queries.contains(NbdNumbers.ALLOCATION);
        if (found) {
            byte[] text = NbdNumbers.ALLOCATION.getBytes(UTF_8);
            reply(
                    option,
                    NbdNumbers.REP_META_CONTEXT,
                    ByteBuffer.allocate(Integer.BYTES + text.length)
                            .putInt(isSet ? NbdNumbers.ALLOCATION_ID : 0)
                            .put(text)
                            .array());
            if (isSet) {
                allocationOf = Optional.of(name);
            }
        }
        reply(option, NbdNumbers.REP_ACK);
    }

    private Optional<NbdSession> info(int option, OptionData data) throws IOException, OptionData.MalformedException {
        String name = data.countedText();
        List<Integer> asked = data.numbers();
        data.end();
        Optional<NbdDevice> found = exports.find(name);
        if (found.isEmpty()) {
            error(option, NbdNumbers.REP_ERR_UNKNOWN, "no export has this name");
            return Optional.empty();
        }
        NbdDevice device = found.get();
        information(
                option, kind(NbdNumbers.INFO_EXPORT, 10).putLong(device.size()).putShort((short)
                        NbdSession.flags(device, structured)));
        information(
                option,
                kind(NbdNumbers.INFO_BLOCK_SIZE, 12)
                        .putInt(NbdNumbers.MIN_BLOCK)
                        .putInt(NbdNumbers.PREFERRED_BLOCK)
                        .putInt(NbdNumbers.MOST_PAYLOAD));
        if (asked.contains(NbdNumbers.INFO_NAME)) {
            text(option, NbdNumbers.INFO_NAME, name.isEmpty() ? exports.names().get(0) : name);
        }
        if (asked.contains(NbdNumbers.INFO_DESCRIPTION)) {
            text(option, NbdNumbers.INFO_DESCRIPTION, exports.description(name));
        }
        reply(option, NbdNumbers.REP_ACK);
        return option == NbdNumbers.OPT_GO ? Optional.of(session(device, name)) : Optional.empty();
    }

    private void text(int option, int kind, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        information(option, kind(kind, bytes.length).put(bytes));
    }

    private void information(int option, ByteBuffer written) throws IOException {
        byte[] all = new byte[written.flip().remaining()];
        written.get(all);
        reply(option, NbdNumbers.REP_INFO, all);
    }

    private static ByteBuffer kind(int kind, int length) {
        return ByteBuffer.allocate(Short.BYTES + length).putShort((short) kind);
    }

    private void error(int option, int error, String message) throws IOException {
        reply(option, error, message.getBytes(UTF_8));
    }

    private void reply(int option, int type, byte... data) throws IOException {
        DataOutputStream out = streams.out();
        out.writeLong(NbdNumbers.OPTION_REPLY_MAGIC);
        out.writeInt(option);
        out.writeInt(type);
        out.writeInt(data.length);
        out.write(data);
        out.flush();
    }
}
