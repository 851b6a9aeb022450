// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** A maker of messages of any type from its descriptor: valid protobuf, with values of {@link FieldValues}. */
public final class MessageMaker {
    private static final byte[] PLACEHOLDER = FieldValues.LONE_SURROGATE.getBytes(StandardCharsets.UTF_8);
    /** The most elements of a field for a long value: a message longer than any server takes shows nothing new. */
    private static final int FEW = 4;

    /** The length beyond which no server takes a message: longer parts are left out. */
    private static final int MOST_BYTES = 12 << 20;

    private static final int DIGEST = 32;
    private static final byte[] SURROGATE = {(byte) 0xED, (byte) 0xA0, (byte) 0x80};

    private final FieldValues words;

    public MessageMaker(FieldValues words) {
        this.words = words;
    }

    /** Makes the message of a call; up to a third of them are true in the system. */
    public DynamicMessage call(Descriptor type, RandomGenerator random) {
        return random.nextInt(3) == 0 ? message(type, random) : next(type, random);
    }

    public DynamicMessage next(Descriptor type, RandomGenerator random) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        // A decoder expects columns of equal length; a quarter of the messages have others.
        int rows = count(random);
        boolean even = random.nextInt(4) > 0;
        boolean sparse = random.nextInt(6) == 0;
        for (FieldDescriptor field : type.getFields()) {
            if (field.isRepeated()) {
                put(message, field, even ? rows : count(random), random);
            } else if (field.getRealContainingOneof() == null && random.nextInt(sparse ? 2 : 8) > 0) {
                put(message, field, 1, random);
            }
        }
        // Exactly one field of each choice is set, with equal odds.
        for (OneofDescriptor choice : type.getRealOneofs()) {
            put(message, choice.getField(random.nextInt(choice.getFieldCount())), 1, random);
        }
        return message.build();
    }

    private void put(DynamicMessage.Builder message, FieldDescriptor field, int count, RandomGenerator random) {
        // Messages cost more than numbers.
        int most = Math.min(count, field.getJavaType() == FieldDescriptor.JavaType.MESSAGE ? 2_000 : 200_000);
        if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
            EnumNumbers.put(message, field, EnumNumbers.some(field.getEnumType(), most, random));
            return;
        }
        if (!field.isRepeated()) {
            message.setField(field, value(field, false, random));
            return;
        }
        long bytes = 0;
        for (int i = 0; i < most && bytes < MOST_BYTES; i++) {
            Object value = value(field, count > FEW, random);
            message.addRepeatedField(field, value);
            bytes += size(value);
        }
    }

    private static int size(Object value) {
        if (value instanceof Message message) {
            return message.getSerializedSize();
        }
        return value instanceof String text ? text.length() : value instanceof ByteString bytes ? bytes.size() : 1;
    }

    private static int count(RandomGenerator random) {
        return switch (random.nextInt(40)) {
            case 0 -> 0;
            case 1 -> 1_500;
            case 2 -> random.nextInt(10) == 0 ? 100_000 : 100;
            default -> random.nextInt(1, 4);
        };
    }

    private Object value(FieldDescriptor field, boolean oneOfMany, RandomGenerator random) {
        String name = field.getFile().getPackage() + "." + field.getName();
        return switch (field.getJavaType()) {
            case INT -> (int) words.number(name, random);
            case LONG -> words.number(name, random);
            case FLOAT -> (float) words.number(name, random);
            case DOUBLE -> (double) words.number(name, random);
            case BOOLEAN -> random.nextBoolean();
            case STRING -> words.text(name, random);
            case BYTE_STRING -> bytes(oneOfMany, random);
            case ENUM -> throw new IllegalArgumentException(field + " has numbers of its own");
            case MESSAGE -> message(field.getMessageType(), random);
        };
    }

    private DynamicMessage message(Descriptor type, RandomGenerator random) {
        Message whole = words.whole(type.getFullName(), random);
        if (whole == null) {
            return next(type, random);
        }
        DynamicMessage truth = DynamicMessage.newBuilder(whole).build();
        return random.nextInt(3) == 0 ? almost(truth, random) : truth;
    }

    /** Changes one field of a message. */
    private DynamicMessage almost(DynamicMessage truth, RandomGenerator random) {
        List<FieldDescriptor> fields = truth.getDescriptorForType().getFields();
        DynamicMessage.Builder message = truth.toBuilder();
        if (!fields.isEmpty()) {
            FieldDescriptor field = fields.get(random.nextInt(fields.size()));
            put(message.clearField(field), field, 1, random);
        }
        return message.build();
    }

    private static ByteString bytes(boolean oneOfMany, RandomGenerator random) {
        byte[] bytes = new byte[length(oneOfMany, random)];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    private static int length(boolean oneOfMany, RandomGenerator random) {
        if (oneOfMany) {
            return random.nextInt(8) == 0 ? random.nextInt(2 * DIGEST) : DIGEST;
        }
        return random.nextInt(20) == 0 ? 1 << 20 : random.nextInt(3_000);
    }

    /** Returns the bytes for the wire, with surrogates that have no partner. */
    public static byte[] wire(DynamicMessage message) {
        byte[] bytes = message.toByteArray();
        for (int at = 0; at + PLACEHOLDER.length <= bytes.length; at++) {
            if (bytes[at] == PLACEHOLDER[0] && bytes[at + 1] == PLACEHOLDER[1] && bytes[at + 2] == PLACEHOLDER[2]) {
                System.arraycopy(SURROGATE, 0, bytes, at, SURROGATE.length);
            }
        }
        return bytes;
    }
}
