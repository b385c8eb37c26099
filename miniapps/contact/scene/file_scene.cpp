#include "file_scene.hpp"

#include "base/error.hpp"

namespace strata::contact {

FileScene::FileScene(SceneOptions const& settings)
    : config_(settings.config)
    , read_(settings.read)
    , world_(settings.world)
{
  auto const contents = read_(config_, world_);
  scene_.dim = config_.dim;
  scene_.shape = shape_of(config_.shape);
  scene_.elements = contents.elements;
  scene_.points = contents.points;
  scene_.gap = config_.gap.value_or(0);
  scene_.exact = contents.exact;
  dropped_ = contents.dropped;
}

Objects FileScene::objects(runtime::Share const& share) const
{
  STRATA_CHECK(share.rank == world_.rank() && share.ranks == world_.ranks(),
               "a file's objects are shared among the ranks that read it");
  auto contents = read_(config_, world_);
  if (contents.elements != scene_.elements || contents.points != scene_.points ||
      contents.exact != scene_.exact)
    throw Error(Exit::deck, config_.file + ": the file has changed since the run began");
  return std::move(contents.objects);
}

report::Facts FileScene::facts() const
{
  report::Facts facts{{"file", config_.file}};
  if (config_.degenerate == "drop")
    facts.push_back({"dropped", std::to_string(dropped_)});
  return facts;
}

} // namespace strata::contact
