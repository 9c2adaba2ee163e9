// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/merkle.h"

#include "compiler/toolchain/toolchain.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <memory>

namespace placid::server {

namespace {

/// Larger ones are read from the store again when they are sent.
constexpr size_t kHeld = size_t{1} << 20;

struct Folder {
  std::map<std::string, rx::Digest> files;
  std::map<std::string, std::unique_ptr<Folder>> folders;
};

InfraFailure refusal(InfraFailure::Code code, std::string detail) { return {code, std::move(detail), false}; }

/// The bytes that all digests are of: fields in order, nothing left to chance.
std::string bytesOf(const google::protobuf::Message &message) {
  std::string out;
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return out;
}

class Builder {
public:
  Builder(const Action &action, const ActionLimits &limits, const ReapiOptions &options, ReapiBlobs &blobs)
      : action_(action), limits_(limits), options_(options), blobs_(blobs) {}

  std::variant<RemoteAction, InfraFailure> run() {
    if (!addOutputs() || !addInputs() || !makeCommand()) {
      return failure_;
    }
    rx::Action action;
    *action.mutable_command_digest() = keep(bytesOf(command_));
    *action.mutable_input_root_digest() = addFolder(root_);
    if (limits_.run.count() != 0) {
      action.mutable_timeout()->set_seconds(limits_.run.count() / 1000);
      action.mutable_timeout()->set_nanos(static_cast<int32_t>(limits_.run.count() % 1000 * 1000000));
    }
    *action.mutable_platform() = command_.platform();
    action.set_salt(salt());
    out_.action = keep(bytesOf(action));
    return std::move(out_);
  }

private:
  bool fail(InfraFailure::Code code, std::string detail) {
    failure_ = refusal(code, std::move(detail));
    return false;
  }

  bool checkPath(const std::string &path) {
    return isSafeRelativePath(path) ||
           fail(InfraFailure::Code::System, "`" + path + "` is no path below the action's folder");
  }

  rx::Digest keep(std::string bytes) {
    rx::Digest digest = remoteDigest(bytes);
    out_.blobs[digest.hash()] = {digest, std::move(bytes), std::nullopt};
    return digest;
  }

  bool addOutputs() {
    out_.outputs = action_.outputs;
    if (!action_.depFile.empty()) {
      out_.outputs.push_back(action_.depFile);
    }
    std::sort(out_.outputs.begin(), out_.outputs.end());
    out_.outputs.erase(std::unique(out_.outputs.begin(), out_.outputs.end()), out_.outputs.end());
    return std::all_of(out_.outputs.begin(), out_.outputs.end(),
                       [this](const std::string &path) { return checkPath(path); });
  }

  bool addInputs() {
    for (const ActionInput &input : action_.inputs) {
      if (!checkPath(input.path)) {
        return false;
      }
      RemoteBlob blob;
      blob.digest.set_hash(input.digest.hex);
      blob.stored = input.digest;
      StoreResult<std::unique_ptr<ReapiReader>> reader = blobs_.open(input.digest);
      if (!reader) {
        return fail(InfraFailure::Code::MissingInput, input.path + ": " + reader.error().detail);
      }
      blob.digest.set_size_bytes(static_cast<int64_t>((*reader)->size()));
      if ((*reader)->size() <= kHeld) { // otherwise it is looked at when it is sent
        StoreResult<std::string> bytes = (*reader)->read(0, kHeld);
        if (!bytes) {
          return fail(InfraFailure::Code::MissingInput, input.path + ": " + bytes.error().detail);
        }
        blob.bytes = std::move(*bytes);
      }
      if (!place(input.path, blob.digest)) {
        return fail(InfraFailure::Code::System, "`" + input.path + "` is a file twice, or a file and a folder");
      }
      out_.blobs[input.digest.hex] = std::move(blob);
    }
    return true;
  }

  bool place(const std::string &path, const rx::Digest &digest) {
    Folder *at = &root_;
    size_t begin = 0;
    for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', begin)) {
      std::string name = path.substr(begin, end - begin);
      if (at->files.count(name) != 0) {
        return false;
      }
      std::unique_ptr<Folder> &next = at->folders[name];
      if (!next) {
        next = std::make_unique<Folder>();
      }
      at = next.get();
      begin = end + 1;
    }
    std::string name = path.substr(begin);
    auto [where, added] = at->files.emplace(name, digest);
    return at->folders.count(name) == 0 && (added || where->second.hash() == digest.hash());
  }

  rx::Digest addFolder(const Folder &folder) {
    rx::Directory out;
    for (const auto &[name, digest] : folder.files) {
      rx::FileNode *node = out.add_files();
      node->set_name(name);
      *node->mutable_digest() = digest;
    }
    for (const auto &[name, below] : folder.folders) {
      rx::Digest digest = addFolder(*below);
      rx::DirectoryNode *node = out.add_directories();
      node->set_name(name);
      *node->mutable_digest() = digest;
    }
    return keep(bytesOf(out));
  }

  bool makeCommand() {
    auto path = [this](const std::string &name) { return workerPath(action_, options_, name); };
    for (const std::string &word : action_.argv) {
      command_.add_arguments(toolchain::expand(word, path));
    }
    if (command_.arguments().empty() || command_.arguments(0).find('/') == std::string::npos) {
      return fail(InfraFailure::Code::NoProgram,
                  (command_.arguments().empty() ? std::string("nothing") : "`" + command_.arguments(0) + "`") +
                      " is no program that a worker is said to have");
    }
    for (const auto &[name, value] : action_.env) {
      rx::Command::EnvironmentVariable *variable = command_.add_environment_variables();
      variable->set_name(name);
      variable->set_value(toolchain::expand(value, path));
    }
    // Both spellings: servers before API 2.1 know the first alone, those from then on prefer the second.
    for (const std::string &output : out_.outputs) {
      command_.add_output_files(output);
      command_.add_output_paths(output);
    }
    std::map<std::string, std::string> properties = options_.properties;
    if (options_.toolProperties) {
      for (const auto &[name, digest] : action_.tools) {
        properties["placid-" + name] = digest.hex;
      }
    }
    for (const auto &[name, value] : properties) {
      rx::Platform::Property *property = command_.mutable_platform()->add_properties();
      property->set_name(name);
      property->set_value(value);
    }
    return true;
  }

  /// What the result depends on and the protocol has no place for.
  std::string salt() const {
    std::string out = options_.salt + "\n" + action_.salt + "\n" + action_.platform + "\n";
    for (const auto &[name, digest] : action_.tools) {
      out += name + "=" + digest.hex + "\n";
    }
    return out;
  }

  const Action &action_;
  const ActionLimits &limits_;
  const ReapiOptions &options_;
  ReapiBlobs &blobs_;
  Folder root_;
  rx::Command command_;
  RemoteAction out_;
  InfraFailure failure_;
};

} // namespace

rx::Digest remoteDigest(std::string_view bytes) {
  rx::Digest out;
  out.set_hash(digestOf(bytes).hex);
  out.set_size_bytes(static_cast<int64_t>(bytes.size()));
  return out;
}

std::optional<std::string> workerPath(const Action &action, const ReapiOptions &options, const std::string &name) {
  if (auto said = options.paths.find(name); said != options.paths.end()) {
    return said->second;
  }
  auto here = action.hostPaths.find(name);
  return here == action.hostPaths.end() ? std::nullopt : std::optional(here->second);
}

std::variant<RemoteAction, InfraFailure> remoteAction(const Action &action, const ActionLimits &limits,
                                                      const ReapiOptions &options, ReapiBlobs &blobs) {
  return Builder(action, limits, options, blobs).run();
}

} // namespace placid::server
